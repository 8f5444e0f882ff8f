import { type Batcher, createBatcher, isAboutRequests, type Settlement, type SettleReply } from '@seatwise/line'

/** As many as one transaction of the ledger decides. */
const BATCH_MAX = 200
const QUEUED_MAX = 20_000

/**
 * Tells the line once what many callers say: claims and payments that the ledger decided in one transaction have one
 * version of the seat map, and each caller brings its own result. Settlements of different versions stay apart, because
 * the line keeps for each ticket the version of what it was told last (M24).
 */
export function createSettling(
  settle: (settlement: Settlement) => Promise<SettleReply>,
): Batcher<Settlement, SettleReply> {
  return createBatcher({
    maxItems: BATCH_MAX,
    maxQueued: QUEUED_MAX,
    maxInFlight: 1,
    isAboutItems: isAboutRequests,
    async run(settlements) {
      const replies = new Map<number, SettleReply>()
      for (const [version, alike] of Map.groupBy(settlements, (settlement) => settlement.version)) {
        const [first] = alike
        if (first === undefined) continue
        replies.set(version, await settle({ ...first, results: alike.flatMap(({ results }) => results) }))
      }
      return settlements.map(({ version, results }) => replyFor(replies.get(version), results))
    },
  })
}

/** Each caller gives back the seats of its own tickets only. */
function replyFor(reply: SettleReply | undefined, results: Settlement['results']): SettleReply {
  if (reply === undefined) throw new Error('Every version of a batch is settled')
  const own = new Set(results.map(({ number }) => number))
  return { seq: reply.seq, left: reply.left.filter((number) => own.has(number)) }
}

import {
  type Batcher,
  createBatcher,
  isAboutRequests,
  type Line,
  type Settlement,
  type SettleReply,
  type TakeReply,
  type TakeRequest,
} from '@seatwise/line'
import type { RoomLink } from './room-link.ts'

/** As many as the ledger decides in one transaction. */
const BATCH_MAX = 200
const QUEUED_MAX = 20_000

/**
 * Batches settlements for the line: claims and payments that the ledger decided in one transaction share a version of
 * the seat map, and each caller brings its own result. Settlements of different versions stay apart, because the line
 * stores for each ticket the version it was last told (M24).
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

/** Passes claims at the gate. */
export function takeStep(line: Line, link: RoomLink) {
  return (requests: readonly TakeRequest[]): Promise<TakeReply[]> =>
    link.run(async (at) => {
      const replies = await line.take(at, requests)
      link.saw(at.epoch, replies.at(-1)?.seq ?? 0)
      return replies
    })
}

/** Sends one settlement to the line. Freed seats may admit visitors, so it calls `onSettled`. */
export function settleStep(line: Line, link: RoomLink, onSettled: () => void) {
  return async (settlement: Settlement): Promise<SettleReply> => {
    const reply = await link.run(async (at) => {
      const told = await line.settle(at, settlement)
      link.saw(at.epoch, told.seq)
      return told
    })
    onSettled()
    return reply
  }
}

/** Limits `left` to the caller's own tickets: each caller gives back only their seats. */
function replyFor(reply: SettleReply | undefined, results: Settlement['results']): SettleReply {
  if (reply === undefined) throw new Error('Every version of a batch is settled')
  const own = new Set(results.map(({ number }) => number))
  return { seq: reply.seq, left: reply.left.filter((number) => own.has(number)) }
}

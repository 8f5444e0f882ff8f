import { hash } from 'node:crypto'
import { faults, SeatwiseError } from '@seatwise/domain'
import { type Claim, type ClaimReply, claimSeats, type SeatClaimWish } from '@seatwise/ledger'
import { type Batcher, createBatcher, isAboutRequests, type SettledClaim, type TakeReply } from '@seatwise/line'
import { RecentMap } from '../../kit/index.ts'
import { lossesOf, type TellParts, tellCopyAndLine } from './tell-line.ts'

/** Claims in one transaction: a larger batch is no cheaper per claim, and each claim waits for the whole batch. */
const BATCH_MAX = 200
const QUEUED_MAX = 10_000
/**
 * A visitor who would wait longer is refused at once: they can retry, and the visitors before them are served in time.
 */
const PATIENCE_MS = 800
/** The assumed cost of a claim before the first is decided: a rush must not find it out by waiting. */
const CLAIM_MS_AT_FIRST = 1
/** As many as a server has rooms. */
const EVENTS_MAX = 2_000

/** A claim on its way to the ledger. */
export interface PendingClaim extends Claim {
  readonly roomId: string
  readonly ticketNumber: number
  readonly fence: number
  /** The identity that the pass must belong to; undefined where the line itself admitted the visitor. */
  readonly identity?: string
}

/** The ledger's reply, or the reason why the gate in the line did not let the claim through. */
export type Decision = ClaimReply | GateRefusal

export type GateRefusal = Exclude<TakeReply, { status: 'taken' }>

export interface ClaimDesk {
  /**
   * Called before any work is done for a visitor's claim. Throws when the claims already on their way are as many as
   * can be decided in time.
   */
  refuseCrowd(eventId: string): void
  /** Claims that arrive together are one batch: through the gate, into one transaction, and back to the line. */
  decide(eventId: string, claim: PendingClaim): Promise<Decision>
  /** Claims that wait or are being decided. */
  readonly pending: number
}

interface Queue {
  readonly batcher: Batcher<PendingClaim, Decision>
  deciding: number
}

export function createClaimDesk(parts: TellParts): ClaimDesk {
  const queues = new RecentMap<string, Queue>(EVENTS_MAX)
  let latest: Queue | null = null

  function queueOf(eventId: string): Queue {
    const known = queues.get(eventId)
    if (known !== undefined) return known
    const batcher = createBatcher<PendingClaim, Decision>({
      name: 'reservations.decide',
      async run(claims) {
        queue.deciding += claims.length
        try {
          return await decideTogether(parts, eventId, claims)
        } finally {
          queue.deciding -= claims.length
        }
      },
      maxItems: BATCH_MAX,
      maxQueued: QUEUED_MAX,
      patienceMs: PATIENCE_MS,
      // Errors of the gate: it recognises a repeated claim. The ledger isolates a bad claim by itself.
      isAboutItems: isAboutRequests,
      // All events share one ledger.
      msPerItem: latest?.batcher.msPerItem ?? CLAIM_MS_AT_FIRST,
    })
    const queue: Queue = { batcher, deciding: 0 }
    latest = queue
    queues.set(eventId, queue)
    return queue
  }

  return {
    get pending() {
      let pending = 0
      for (const { batcher, deciding } of queues.values()) pending += batcher.queued + deciding
      return pending
    },
    refuseCrowd(eventId) {
      // Only for events that have a queue: a made-up id must not open one.
      const queue = queues.get(eventId)
      // Claims being decided count, too: when each takes long, those are most of the wait.
      queue?.batcher.refuseBehind(queue.batcher.queued + queue.deciding)
    },
    decide: (eventId, claim) => queueOf(eventId).batcher.send(claim),
  }
}

/** The gate lets claims through, the ledger decides those, and the line and this server's copy learn the outcome. */
async function decideTogether(
  parts: TellParts,
  eventId: string,
  claims: readonly PendingClaim[],
): Promise<readonly Decision[]> {
  const room = await parts.rooms.ofEvent(eventId)
  const takes = await room.take(claims.map(toTake))
  if (faults.on) await faults.reach('reserve.after-gate')
  const passed = claims.flatMap((claim, index) => inTime(claim, takes[index]))
  if (passed.length === 0) return takes.filter(isRefusal)
  const outcome = await ask(parts, eventId, passed)
  const results = passed.map((claim, index) => toSettle(claim, outcome.replies[index]))
  await tellCopyAndLine(parts, eventId, outcome, [...lossesOf(outcome.expired), ...results])
  if (faults.on) await faults.reach('reserve.after-settle')
  const replies = outcome.replies.values()
  return takes.map((take) => {
    const decision = isRefusal(take) ? take : replies.next().value
    if (decision === undefined) throw new Error('The ledger answers every claim')
    return decision
  })
}

function toTake(claim: PendingClaim) {
  const { ticketNumber: number, fence, identity } = claim
  const take = { number, fence, quantity: quantityOf(claim.wish), operation: nameOf(claim) }
  return identity === undefined ? take : { ...take, identity }
}

/** The claim, if the gate lets it through. Its hold ends with the visit, however late in the visit it comes: B55. */
function inTime(claim: PendingClaim, take: TakeReply | undefined): PendingClaim[] {
  if (take === undefined || isRefusal(take)) return []
  const { leftSeconds = claim.holdSeconds } = take
  return leftSeconds < claim.holdSeconds ? [{ ...claim, holdSeconds: leftSeconds }] : [claim]
}

function isRefusal(take: TakeReply): take is GateRefusal {
  return take.status !== 'taken'
}

/** When the ledger does not answer, the outcome is unknown: the gate waits, and the client retries. */
async function ask({ ledger, log }: TellParts, eventId: string, claims: readonly Claim[]) {
  const outcome = await claimSeats(ledger, eventId, claims).catch((cause: unknown) => {
    log.error({ err: cause, event: eventId, claims: claims.length }, 'claims were not decided')
    throw new SeatwiseError('UNAVAILABLE', { cause, retryAfterSeconds: 1 })
  })
  if (outcome === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
  return outcome
}

function toSettle(claim: PendingClaim, reply: ClaimReply | undefined): SettledClaim {
  const told = { operation: nameOf(claim), number: claim.ticketNumber }
  if (reply?.status !== 'held') return told
  const { expiresAt, items } = reply.reservation
  return { ...told, reserved: { until: expiresAt.getTime(), quantity: items.length } }
}

export const quantityOf = (wish: SeatClaimWish): number => ('seatIds' in wish ? wish.seatIds.length : wish.quantity)

/** A UUID, and a little more. The gate keeps anything longer as a hash, which is longer than this. */
const NAME_LENGTH_MAX = 40

/** The name by which the gate tells claims of one ticket apart. */
function nameOf({ operation: { key } }: Claim): string {
  return key.length <= NAME_LENGTH_MAX ? key : hash('sha256', key, 'hex')
}

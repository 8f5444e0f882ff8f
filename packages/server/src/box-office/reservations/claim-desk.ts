import { faults, SeatwiseError } from '@seatwise/domain'
import { type Claim, type ClaimReply, claimSeats } from '@seatwise/ledger'
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

/** A claim on its way, and the name by which the gate in the line knows it. */
export interface PendingClaim {
  readonly claim: Claim
  readonly operation: string
  /** The identity that the pass must belong to; undefined where the line itself admitted the visitor. */
  readonly identity?: string
  readonly quantity: number
}

/** The ledger's decision, or the reason why the gate in the line did not let the claim through. */
export type Decision = ClaimReply | GateRefusal

export type GateRefusal =
  | { readonly status: 'stale' | 'no_time' | 'sold_out' | 'busy' }
  | { readonly status: 'not_enough'; readonly available: number }

export interface ClaimDesk {
  /** Throws when the visitors already on their way are as many as can be served in time. */
  refuseCrowd(eventId: string): void
  /**
   * Called before any work is done for a visitor's claim. Throws when the visitors already on their way are as many as
   * can be served in time. The caller invokes the returned function when the visitor has an answer.
   */
  enter(eventId: string): () => void
  /** Claims that arrive together are one batch: through the gate, into one transaction, and back to the line. */
  decide(eventId: string, pending: PendingClaim): Promise<Decision>
  /** Claims that wait or are being decided. */
  readonly pending: number
}

export function createClaimDesk(parts: TellParts): ClaimDesk {
  const desks = new RecentMap<string, Desk>(EVENTS_MAX)
  let deciding = 0
  let latest: Desk | null = null
  function deskOf(eventId: string): Desk {
    const known = desks.get(eventId)
    if (known !== undefined) return known
    const batcher = createBatcher<PendingClaim, Decision>({
      run: (pending) => decide(eventId, pending),
      maxItems: BATCH_MAX,
      maxQueued: QUEUED_MAX,
      patienceMs: PATIENCE_MS,
      // Errors of the gate: it recognises a repeated claim. The ledger isolates a bad claim by itself.
      isAboutItems: isAboutRequests,
      // All events share one ledger.
      msPerItem: latest?.batcher.msPerItem ?? CLAIM_MS_AT_FIRST,
    })
    latest = { batcher, coming: 0 }
    desks.set(eventId, latest)
    return latest
  }

  async function decide(eventId: string, pending: readonly PendingClaim[]): Promise<Decision[]> {
    deciding += pending.length
    try {
      return await decideTogether(parts, eventId, pending)
    } finally {
      deciding -= pending.length
    }
  }

  return {
    get pending() {
      let waiting = 0
      for (const { batcher } of desks.values()) waiting += batcher.queued
      return waiting + deciding
    },
    refuseCrowd(eventId) {
      // Only for events that have a desk: a made-up id must not open one.
      const desk = desks.get(eventId)
      if (desk !== undefined) refuseCrowd(desk)
    },
    enter(eventId) {
      const desk = deskOf(eventId)
      refuseCrowd(desk)
      desk.coming += 1
      return () => {
        desk.coming -= 1
      }
    },
    decide: (eventId, pending) => deskOf(eventId).batcher.send(pending),
  }
}

/**
 * Visitors with a claim being decided count, too: when each claim takes long, those are most of the wait, and a
 * visitor accepted behind them would be served too late.
 */
function refuseCrowd({ batcher, coming }: Desk): void {
  batcher.refuseBehind(coming)
}

interface Desk {
  readonly batcher: Batcher<PendingClaim, Decision>
  /** Visitors from their first step towards the desk until they have an answer. */
  coming: number
}

async function decideTogether(
  parts: TellParts,
  eventId: string,
  pending: readonly PendingClaim[],
): Promise<Decision[]> {
  const room = await parts.rooms.ofEvent(eventId)
  const takes = await room.take(
    pending.map(({ claim, operation, quantity, identity }) => ({
      ...{ number: claim.ticketNumber, fence: claim.fence, quantity, operation },
      ...(identity !== undefined && { identity }),
    })),
  )
  if (faults.on) await faults.reach('reserve.after-gate')
  const refusals = takes.map(refusalBy)
  const passed = pending.flatMap((one, index) => (refusals[index] === null ? [inTime(one, takes[index])] : []))
  const replies = passed.length === 0 ? [] : await claimTogether(parts, eventId, passed)
  return refusals.map((refusal) => {
    const decision = refusal ?? replies.shift()
    if (decision === undefined) throw new Error('The ledger answers every claim')
    return decision
  })
}

/** The hold ends with the visit, however late in the visit the claim comes. Rule B55. */
function inTime(pending: PendingClaim, take: TakeReply | undefined): PendingClaim {
  if (take?.status !== 'taken' || take.leftSeconds === undefined) return pending
  const holdSeconds = Math.min(pending.claim.holdSeconds, take.leftSeconds)
  return { ...pending, claim: { ...pending.claim, holdSeconds } }
}

function refusalBy(take: TakeReply): GateRefusal | null {
  switch (take.status) {
    case 'taken':
      return null
    case 'not_enough':
      return { status: take.status, available: take.available }
    case 'stale':
    case 'no_time':
    case 'sold_out':
    case 'busy':
      return { status: take.status }
  }
}

async function claimTogether(
  parts: TellParts,
  eventId: string,
  pending: readonly PendingClaim[],
): Promise<ClaimReply[]> {
  const outcome = await ask(parts, eventId, pending)
  const { replies, expired } = outcome
  const results = pending.map(({ claim, operation }, index): SettledClaim => {
    const reply = replies[index]
    const told = { operation, number: claim.ticketNumber }
    if (reply?.status !== 'held') return told
    return { ...told, reserved: { until: reply.until.getTime(), quantity: reply.quantity } }
  })
  await tellCopyAndLine(parts, eventId, outcome, [...lossesOf(expired), ...results])
  if (faults.on) await faults.reach('reserve.after-settle')
  return [...replies]
}

/** When the ledger does not answer, the outcome is unknown: the gate waits, and the client retries. */
async function ask({ ledger, log }: TellParts, eventId: string, pending: readonly PendingClaim[]) {
  const claims = pending.map(({ claim }) => claim)
  const outcome = await claimSeats(ledger, eventId, claims).catch((cause: unknown) => {
    log.error({ err: cause, event: eventId, claims: claims.length }, 'claims were not decided')
    throw new SeatwiseError('UNAVAILABLE', { cause, retryAfterSeconds: 1 })
  })
  if (outcome === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
  return outcome
}

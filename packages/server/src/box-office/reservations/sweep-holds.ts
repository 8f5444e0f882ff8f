import { eventsWithOverdueHolds, expireReservations, forgetSeatChanges } from '@seatwise/ledger'
import { eachAlone } from '../../kit/index.ts'
import { lossesOf, type TellParts, tellCopyAndLine } from './tell-line.ts'

/** One sweep handles at most this many events, and this many full batches of each. */
const EVENTS_MAX = 100
const BATCHES_MAX = 50
/** A follower of a seat map that is further behind reads the whole map. */
const NOTES_SECONDS = 600

/**
 * Ends expired holds. Any server may do it, any number of times at once: each seat returns once (B16). An expired hold
 * is free by the clock anyway; the sweep is for the line, which admits no visitor for a seat that is held.
 */
export async function sweepHolds(parts: TellParts): Promise<void> {
  const events = await eventsWithOverdueHolds(parts.ledger.db, EVENTS_MAX)
  await eachAlone(
    events,
    (eventId) => sweepEvent(parts, eventId),
    (event, err) => parts.log.error({ err, event }, 'expired holds of an event were not ended, retrying'),
  )
}

async function sweepEvent(parts: TellParts, eventId: string): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const outcome = await expireReservations(parts.ledger, eventId)
    if (outcome === null) return
    if (outcome.expired.length > 0) await tellCopyAndLine(parts, eventId, outcome, lossesOf(outcome.expired))
    if (!outcome.isFull) return
  }
}

export async function forgetOldNotes({ ledger }: TellParts): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    if ((await forgetSeatChanges(ledger.db, NOTES_SECONDS)) === 0) return
  }
}

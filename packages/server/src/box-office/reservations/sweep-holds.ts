import { eventsWithOverdueHolds, expireReservations, forgetSeatChanges } from '@seatwise/ledger'
import { eachAlone } from '../../kit/index.ts'
import { lossesOf, type TellParts, tellEverybody } from './tell-line.ts'

/** One sweep looks at no more than so many events, and at so many full batches of each. */
const EVENTS_MAX = 100
const BATCHES_MAX = 50
/** Whoever follows a seat map and is further behind reads all of it. */
const NOTES_SECONDS = 600

/**
 * Ends holds whose time is over. Any server may do it, any number of times at once: each seat returns once (B16). A
 * hold is free by the clock anyway; what waits for the sweep is the line, which lets nobody in for a seat that is held.
 */
export async function sweepHolds(parts: TellParts): Promise<void> {
  const events = await eventsWithOverdueHolds(parts.ledger.db, EVENTS_MAX)
  await eachAlone(
    events,
    (eventId) => sweepEvent(parts, eventId),
    (event, err) => parts.log.error({ err, event }, 'holds of an event were not ended, trying again'),
  )
}

async function sweepEvent(parts: TellParts, eventId: string): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const outcome = await expireReservations(parts.ledger, eventId)
    if (outcome === null) return
    if (outcome.expired.length > 0) await tellEverybody(parts, eventId, outcome, lossesOf(outcome.expired))
    if (!outcome.isFull) return
  }
}

export async function forgetOldNotes({ ledger }: TellParts): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    if ((await forgetSeatChanges(ledger.db, NOTES_SECONDS)) === 0) return
  }
}

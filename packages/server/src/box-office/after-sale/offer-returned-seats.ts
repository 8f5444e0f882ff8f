import { eventsToOffer, forgetMailLinks, forgetUnconfirmed, offerReturns, type SeatMapChange } from '@seatwise/ledger'
import { eachAlone } from '../../kit/index.ts'
import { type TellParts, tellCopyAndLine } from '../reservations/tell-line.ts'

/** One round handles at most this many events. */
const EVENTS_MAX = 100
/** A visitor who asked for the returns list confirms within two days, or asks again. */
const UNCONFIRMED_HOURS = 48
/** Links in mail outlive their event by the 30 days of the order page and a week of grace. */
const LINK_DAYS = 37
/** A round looks at so many links; the rest waits for the next. */
const LINKS_MAX = 1_000

/**
 * Offers seats that came back to the returns lists. Any server may do it, any number of times at once: the ledger offers
 * each seat once. A server that returned a seat offers it itself; this finds what a crash left behind, offers that ran
 * out, and seats that no visitor in the line wanted after all.
 */
export async function offerReturnedSeats(parts: TellParts): Promise<void> {
  const events = await eventsToOffer(parts.ledger.db, null, EVENTS_MAX)
  await eachAlone(
    events,
    async (eventId) => {
      const change = await offerIn(parts, eventId)
      if (change !== null) await tellCopyAndLine(parts, eventId, change, [])
    },
    (event, err) => parts.log.error({ err, event }, 'returned seats of an event were not offered, retrying'),
  )
}

/**
 * The same for one event, between the return of seats and the line's hearing of it: seats that are offered never were for
 * sale, so that the event stays sold out. Never fails: the next round offers what this could not.
 */
export async function offerFirst(
  parts: TellParts,
  eventId: string,
  { changes }: SeatMapChange,
): Promise<SeatMapChange | null> {
  if (!changes.some(({ status }) => status === 'available')) return null
  try {
    const [event] = await eventsToOffer(parts.ledger.db, [eventId], 1)
    const change = event === undefined ? null : await offerIn(parts, eventId)
    if (change !== null) parts.seatMaps.learn(eventId, change)
    return change
  } catch (err) {
    parts.log.warn({ err, event: eventId }, 'returned seats were not offered before the line heard of them, retrying')
    return null
  }
}

/** Null when nothing was offered. */
async function offerIn({ ledger, rooms }: TellParts, eventId: string): Promise<SeatMapChange | null> {
  const room = await rooms.ofEvent(eventId)
  const { document, now } = await room.freshNow()
  // A paused room sells nothing; the seats stay where they are until it resumes.
  if (document.phase === 'paused' || room.row.paused) return null
  const ahead = document.waiting + now.promised + now.taken
  const outcome = await offerReturns(ledger, eventId, { ahead })
  return outcome === null || outcome.offers === 0 ? null : outcome
}

export async function forgetUnconfirmedRequests({ ledger }: TellParts): Promise<void> {
  await forgetUnconfirmed(ledger.db, UNCONFIRMED_HOURS)
}

export async function forgetOldLinks({ ledger }: TellParts): Promise<void> {
  await forgetMailLinks(ledger.db, { daysMax: LINK_DAYS, linksMax: LINKS_MAX })
}

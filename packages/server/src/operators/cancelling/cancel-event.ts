import { faults, SeatwiseError } from '@seatwise/domain'
import { cancelEvent as decideCancelling, noteLineTold } from '@seatwise/ledger'
import type { BoxOfficeServices, EventReads } from '../../box-office/index.ts'

interface CancelParts extends Pick<BoxOfficeServices, 'ledger' | 'rooms' | 'boxOffice' | 'log'> {
  readonly reads: EventReads
}

/** Cancels an event, and returns the id of the work that follows: every server continues it (continue-cancelling.ts). */
export async function cancelEvent(
  parts: CancelParts,
  wish: { eventId: string; message: string; by: string },
): Promise<string> {
  const { ledger, reads, boxOffice, log } = parts
  const { eventId } = wish
  const outcome = await decideCancelling(ledger, wish)
  if (outcome === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
  if (faults.on) await faults.reach('cancel.after-commit')
  reads.forget(eventId)
  boxOffice.seatMaps.learn(eventId, outcome)
  try {
    await tellLine(parts, wish)
  } catch (err) {
    log.warn({ err, event: eventId }, 'the line was not told of a cancelled event yet, retrying')
  }
  return outcome.operation
}

/** Closes the line for good and shows the message to its visitors. Repeating it changes nothing. */
export async function tellLine(
  { ledger, rooms }: Pick<CancelParts, 'ledger' | 'rooms'>,
  { eventId, message, by }: { eventId: string; message: string; by: string },
): Promise<void> {
  try {
    await rooms.saleChanged(eventId, by)
    const room = await rooms.ofEvent(eventId)
    if (room.row.message !== message) await room.change({ by, message })
  } catch (error) {
    // An archived room has no visitors to tell.
    if (!(error instanceof SeatwiseError) || error.code !== 'ROOM_ARCHIVED') throw error
  }
  await noteLineTold(ledger.db, eventId)
  if (faults.on) await faults.reach('cancel.after-line')
}

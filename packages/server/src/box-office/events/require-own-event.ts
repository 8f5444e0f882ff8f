import { SeatwiseError } from '@seatwise/domain'
import type { Ledger } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'

/** Organisers manage their own events, admins all events. */
export async function requireOwnEvent({ db }: Ledger, eventId: string, { id, role }: Actor): Promise<void> {
  const event = await db.selectFrom('events').select('organizer_id').where('id', '=', eventId).executeTakeFirst()
  if (event === undefined) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
  if (role !== 'admin' && event.organizer_id !== id) {
    throw new SeatwiseError('FORBIDDEN', { message: 'This event belongs to another organiser' })
  }
}

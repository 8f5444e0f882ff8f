import { SeatwiseError } from '@seatwise/domain'
import type { Ledger } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'

/** Organisers manage their own events, admins all events. */
export async function requireOwnEvent(ledger: Ledger, eventId: string, actor: Actor): Promise<void> {
  const isOwn = await isOwnEvent(ledger, eventId, actor)
  if (isOwn === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
  if (!isOwn) throw new SeatwiseError('FORBIDDEN', { message: 'This event belongs to another organiser' })
}

/** Null when there is no such event. */
export async function isOwnEvent({ db }: Ledger, eventId: string, { id, role }: Actor): Promise<boolean | null> {
  const event = await db.selectFrom('events').select('organizer_id').where('id', '=', eventId).executeTakeFirst()
  return event === undefined ? null : role === 'admin' || event.organizer_id === id
}

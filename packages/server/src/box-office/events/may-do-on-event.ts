import type { Act } from '@seatwise/domain'
import type { Ledger } from '@seatwise/ledger'
import { type Actor, isAdmin, mayDo } from '../../http/index.ts'

/** Whether the caller may do this on an event, for handlers that learn of the event by reading; false if there is none. */
export async function mayDoOnEvent({ db }: Ledger, eventId: string, actor: Actor, act: Act): Promise<boolean> {
  if (!isAdmin(actor) && (actor.teams?.size ?? 0) === 0) return false
  const event = await db.selectFrom('events').select('organization_id').where('id', '=', eventId).executeTakeFirst()
  return event !== undefined && mayDo(actor, act, event.organization_id)
}

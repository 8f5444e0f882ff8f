import { DEFAULT_TIME_ZONE } from '@seatwise/domain'
import type { Ledger } from '@seatwise/ledger'

/** The time zone in which an event is announced; UTC for a room that has none. */
export async function venueZone({ db }: Ledger, eventId: string | null): Promise<string> {
  if (eventId === null) return DEFAULT_TIME_ZONE
  const event = await db.selectFrom('events').select('time_zone').where('id', '=', eventId).executeTakeFirst()
  return event?.time_zone ?? DEFAULT_TIME_ZONE
}

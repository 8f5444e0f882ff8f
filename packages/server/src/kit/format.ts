import { tellMomentNamed } from '@seatwise/web'

/** A time for people, in the venue's time zone. The reader's own zone is unknown, so the text names the zone. */
export function formatInstant(instant: Date, timeZone: string): string {
  return tellMomentNamed('en-GB', instant.getTime(), timeZone, 'full')
}

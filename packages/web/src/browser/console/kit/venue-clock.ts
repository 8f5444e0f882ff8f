import { instantOfWall, wallTime } from '@seatwise/domain'
import { nameZone, ownMoment } from '../../../views/moment.ts'
import { page } from './page.ts'

/** The zone of this browser: for rooms without a venue, and as a first guess for a new event. */
export const ownZone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** By which clock this page tells times. */
export const venueZone: string = page.timeZone ?? ownZone

/** The name of the venue's zone, where the operator's clock shows another time; null where there is nothing to say. */
export function foreignZone(ms: number): string | null {
  return ownMoment(page.language, ms, venueZone) === null ? null : nameZone(page.language, ms, venueZone)
}

/** An instant as fields for a time write it, by the clock in a zone. */
export const toField = (zone: string, time: string | null): string =>
  time === null ? '' : wallTime(zone, Date.parse(time))

/** Null for an empty field, and for a time that the clocks skip. */
export function fromField(zone: string, field: string): string | null {
  const wall = instantOfWall(zone, field)
  return wall.status === 'never' ? null : new Date(wall.ms).toISOString()
}

import type { Announcement } from '@seatwise/domain'

/** An announcement as a line of the log. */
export function announcementLine({ kind, ...what }: Announcement): string {
  return `${kind}\t${JSON.stringify(what)}`
}

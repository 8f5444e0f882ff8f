const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i
const EARLIEST_MS = Date.UTC(1970, 0, 1)
const LATEST_MS = Date.UTC(3000, 0, 1)

/**
 * A point in time from ISO 8601 text with a zone; null when there is no such time. Kept to the millisecond, between
 * 1970 and 3000.
 */
export function parseInstant(text: string): Date | null {
  if (!isRealTime(text)) return null
  const instant = new Date(text.toUpperCase())
  const time = instant.getTime()
  return time >= EARLIEST_MS && time < LATEST_MS ? instant : null
}

/** Whether ISO 8601 text with a zone names a day and a time that exist. JavaScript alone reads February 30th as March 2nd. */
export function isRealTime(text: string): boolean {
  const match = INSTANT.exec(text)
  if (match === null) return false
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number)
  // The day as written must exist, before the zone is applied.
  const written = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  const isDay = written.getUTCMonth() === month - 1 && written.getUTCDate() === day
  return isDay && hour < 24 && minute < 60 && second < 60
}

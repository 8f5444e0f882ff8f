/*
 * Wall clock times: which one an instant has in a zone, and which instant a wall clock time is. Zones are IANA names; their
 * rules come with the JavaScript runtime.
 */

export const DEFAULT_TIME_ZONE = 'UTC'

/** IANA area and place; no offsets such as +07:00, which have no daylight saving time. */
const NAME = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*){0,2}$/
const NAME_LENGTH_MAX = 64

export function isTimeZone(name: string): boolean {
  if (name.length > NAME_LENGTH_MAX || !NAME.test(name)) return false
  try {
    clockOf(name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** The wall clock time of an instant in a zone: "2026-11-15T19:30". */
export function wallTime(zone: string, instantMs: number): string {
  const shown = instantMs + offsetMs(zone, instantMs)
  return new Date(shown).toISOString().slice(0, 'YYYY-MM-DDTHH:mm'.length)
}

/** The offset of a zone from UTC at an instant. */
export function offsetMs(zone: string, instantMs: number): number {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(instantMs)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = [
    ...(['year', 'month', 'day', 'hour', 'minute', 'second'] as const),
  ].map((name) => parts.get(name))
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instantMs / 1_000) * 1_000
}

/** An instant as ISO 8601 in a zone, with its offset: "2026-11-15T19:30:00.000+07:00". */
export function isoInZone(zone: string, instantMs: number): string {
  const offset = offsetMs(zone, instantMs)
  const minutes = Math.round(offset / 60_000)
  if (minutes === 0) return new Date(instantMs).toISOString()
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const ahead = Math.abs(minutes)
  const shown = new Date(instantMs + minutes * 60_000).toISOString().slice(0, -1)
  return `${shown}${minutes < 0 ? '-' : '+'}${two(ahead / 60)}:${two(ahead % 60)}`
}

/** The instants with a wall clock time: none when clocks skip it, two when they are put back over it. */
export type WallInstant = { readonly status: 'never' } | { readonly status: 'once' | 'twice'; readonly ms: number }

const DAY_MS = 86_400_000

/** Parses a wall clock time ("2026-11-15T19:30"). Of two instants it returns the first. */
export function instantOfWall(zone: string, wall: string): WallInstant {
  const shown = Date.parse(`${wall}Z`)
  if (Number.isNaN(shown)) return { status: 'never' }
  // Offsets change at most once within two days, so those of the day before and of the day after are all candidates.
  const offsets = new Set([offsetMs(zone, shown - DAY_MS), offsetMs(zone, shown + DAY_MS)])
  const instants = [...offsets]
    .map((offset) => shown - offset)
    .filter((ms) => ms + offsetMs(zone, ms) === shown)
    .sort((one, other) => one - other)
  const [first, second] = instants
  if (first === undefined) return { status: 'never' }
  return { status: second === undefined ? 'once' : 'twice', ms: first }
}

/** A cache: creating a formatter takes longer than using it a hundred times. Bounded by CLOCKS_MAX. */
const clocks = new Map<string, Intl.DateTimeFormat>()
const CLOCKS_MAX = 1_000

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known !== undefined) return known
  const clock = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  if (clocks.size >= CLOCKS_MAX) clocks.clear()
  clocks.set(zone, clock)
  return clock
}

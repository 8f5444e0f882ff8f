import { offsetMs } from '@seatwise/domain'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Zones that change their clocks do so at least once within this. */
const LOOK_BACK_DAYS = 400

/**
 * The rules of a zone for a calendar file (RFC 5545, VTIMEZONE): the change of clocks before `fromMs`, and those until
 * `toMs`. Calendars know most zones by name; these lines tell the offset to all others.
 */
export function zoneLines(zone: string, fromMs: number, toMs: number): string[] {
  const [first] = changesBetween(zone, fromMs - LOOK_BACK_DAYS * DAY_MS, fromMs).slice(-1)
  const constant = { atMs: 0, before: offsetMs(zone, fromMs), after: offsetMs(zone, fromMs) }
  const changes = [first ?? constant, ...changesBetween(zone, fromMs, toMs)]
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...changes.flatMap((change) => changeLines(zone, change)), 'END:VTIMEZONE']
}

interface Change {
  readonly atMs: number
  readonly before: number
  readonly after: number
}

function changesBetween(zone: string, fromMs: number, toMs: number): Change[] {
  const changes: Change[] = []
  for (let dayMs = fromMs; dayMs < toMs; dayMs += DAY_MS) {
    const endMs = Math.min(dayMs + DAY_MS, toMs)
    const [before, after] = [offsetMs(zone, dayMs), offsetMs(zone, endMs)]
    if (before !== after) changes.push({ atMs: changeWithin(zone, dayMs, endMs), before, after })
  }
  return changes
}

/** The first minute with the new offset, by halving. */
function changeWithin(zone: string, fromMs: number, toMs: number): number {
  const before = offsetMs(zone, fromMs)
  let [low, high] = [Math.floor(fromMs / MINUTE_MS), Math.ceil(toMs / MINUTE_MS)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetMs(zone, middle * MINUTE_MS) === before) low = middle
    else high = middle
  }
  return high * MINUTE_MS
}

function changeLines(zone: string, { atMs, before, after }: Change): string[] {
  const kind = after > winterOffset(zone, atMs) ? 'DAYLIGHT' : 'STANDARD'
  return [
    `BEGIN:${kind}`,
    // What the clocks showed when they were changed.
    `DTSTART:${wallStamp(atMs, before)}`,
    `TZOFFSETFROM:${writeOffset(before)}`,
    `TZOFFSETTO:${writeOffset(after)}`,
    `END:${kind}`,
  ]
}

function winterOffset(zone: string, ms: number): number {
  const year = new Date(ms).getUTCFullYear()
  return Math.min(offsetMs(zone, Date.UTC(year, 0, 1)), offsetMs(zone, Date.UTC(year, 6, 1)))
}

export const wallStamp = (ms: number, offset: number): string =>
  new Date(ms + offset).toISOString().replaceAll(/[-:]|\.\d{3}Z/g, '')

function writeOffset(offset: number): string {
  const seconds = Math.abs(offset) / 1_000
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const rest = seconds % 60 === 0 ? '' : two(seconds % 60)
  return `${offset < 0 ? '-' : '+'}${two(seconds / 3_600)}${two((seconds % 3_600) / 60)}${rest}`
}

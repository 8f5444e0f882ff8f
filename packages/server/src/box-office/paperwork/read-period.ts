import { DEFAULT_TIME_ZONE, instantOfWall, isTimeZone, SeatwiseError, wallTime } from '@seatwise/domain'
import type { Period } from '@seatwise/ledger'

const DAY_MS = 86_400_000
/** A year and a month, so that a whole year fits wherever its days begin. */
const DAYS_MAX = 400
const DAYS_DEFAULT = 31

export interface AskedPeriod {
  readonly from?: string
  readonly to?: string
  readonly timeZone?: string
}

/** Days in a zone as instants; both days are in the period. Null where nothing bounds it. */
export interface ReadPeriod extends Period {
  readonly days: { readonly from: string; readonly to: string } | null
  readonly timeZone: string
}

/** The last 31 days when none are named. */
export function readPeriod({ from, to, timeZone = DEFAULT_TIME_ZONE }: AskedPeriod, nowMs: number): ReadPeriod {
  if (!isTimeZone(timeZone)) throw new SeatwiseError('BAD_REQUEST', { message: `There is no time zone ${timeZone}` })
  const last = to ?? wallTime(timeZone, nowMs).slice(0, 10)
  const first = from ?? dayAfter(last, 1 - DAYS_DEFAULT)
  const length = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1
  if (!(length >= 1 && length <= DAYS_MAX)) {
    throw new SeatwiseError('BAD_REQUEST', {
      message: `from must not be after to, and a period has at most ${DAYS_MAX} days; got ${first} to ${last}`,
    })
  }
  const days = { from: first, to: last }
  return { days, timeZone, from: beginOf(timeZone, first), until: beginOf(timeZone, dayAfter(last, 1)) }
}

/** For one event: all of it unless a day is named. */
export function readEventPeriod({ from, to, timeZone = DEFAULT_TIME_ZONE }: AskedPeriod, nowMs: number): ReadPeriod {
  if (from !== undefined || to !== undefined)
    return readPeriod({ ...(from && { from }), ...(to && { to }), timeZone }, nowMs)
  return { days: null, timeZone, from: null, until: null }
}

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** Where clocks skip midnight, the day begins an hour later. */
function beginOf(timeZone: string, day: string): Date {
  const midnight = instantOfWall(timeZone, `${day}T00:00`)
  const begin = midnight.status === 'never' ? instantOfWall(timeZone, `${day}T01:00`) : midnight
  if (begin.status === 'never')
    throw new SeatwiseError('BAD_REQUEST', { message: `There was no ${day} in ${timeZone}` })
  return new Date(begin.ms)
}

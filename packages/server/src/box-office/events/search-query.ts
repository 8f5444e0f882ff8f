import { parseInstant, SeatwiseError } from '@seatwise/domain'

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** A time, or a whole day: its first moment as the start of a range, its last as the end. */
export function readMoment(name: 'from' | 'to', text: string | undefined): string | null {
  if (text === undefined || text === '') return null
  const suffix = name === 'from' ? 'T00:00:00.000Z' : 'T23:59:59.999Z'
  const instant = parseInstant(DAY.test(text) ? `${text}${suffix}` : text)
  if (instant !== null) return instant.toISOString()
  throw new SeatwiseError('BAD_REQUEST', {
    message: `querystring/${name} must be a real day or time, like 2026-11-15 or 2026-11-15T10:00:00Z`,
    details: { field: `querystring/${name}` },
  })
}

/** PostgreSQL rejects NUL, and half a surrogate pair is no word. */
export const readWords = (text: string): string => text.toWellFormed().replaceAll('\0', ' ').trim()

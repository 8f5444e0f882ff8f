import { isRealTime, SeatwiseError } from '@seatwise/domain'
import type { PageMark } from '@seatwise/ledger'
import { isUuid } from '../../kit/index.ts'

// PostgreSQL accepts no offset of 16 hours.
const TIME_OF_LEDGER = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d{1,6})?[+-](?:0\d|1[0-5])(?::[0-5]\d)?$/
const LENGTH_MAX = 200
const LISTED_MS_MAX = Date.UTC(4000, 0, 1)

/** Opaque to clients, so that its content may change. It holds no secret: it is validated, not signed. */
export function writeCursor(mark: PageMark): string {
  return Buffer.from(JSON.stringify([mark.score, mark.at, mark.id])).toString('base64url')
}

/** Throws BAD_REQUEST for anything that we did not write, before any of it reaches the ledger. */
export function readCursor(cursor: string): PageMark {
  const [score, at, id] = parseList(cursor)
  const isScore = score === null || (Number.isInteger(score) && Math.abs(Number(score)) < 100_000)
  if (isScore && typeof at === 'string' && TIME_OF_LEDGER.test(at) && typeof id === 'string' && isUuid(id)) {
    if (isListed(at)) return { score: score as number | null, at, id }
  }
  throw badCursor()
}

/**
 * Whether an event can have this time in a list. The pattern accepts February 30th, which the ledger rejects; events
 * without a date are listed a thousand years after their sale, which is before the year 3000.
 */
function isListed(at: string): boolean {
  const text = at.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00')
  const time = isRealTime(text) ? Date.parse(text) : Number.NaN
  return time >= 0 && time < LISTED_MS_MAX
}

function parseList(cursor: string): unknown[] {
  if (cursor.length > LENGTH_MAX) throw badCursor()
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw badCursor()
}

const badCursor = (): SeatwiseError =>
  new SeatwiseError('BAD_REQUEST', {
    message: 'querystring/cursor must be a nextCursor of an earlier page',
    details: { field: 'querystring/cursor' },
  })

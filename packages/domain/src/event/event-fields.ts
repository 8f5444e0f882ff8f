import { SeatwiseError } from '../errors.ts'
import { EVENT_LIMITS } from './event.ts'
import { parseInstant } from './instant.ts'
import { isTimeZone } from './time-zone.ts'

/*
 * Single fields of an event from untrusted input. Each function returns the value or throws BAD_REQUEST naming the field.
 */

export interface TextRules {
  readonly mayBeBlank?: boolean
  /** Line breaks and tabs are allowed. */
  readonly lines?: boolean
}

export function requireText(field: string, text: string, rules: TextRules = {}): string {
  if (rules.mayBeBlank !== true && text.trim() === '') throw badField(field, 'must not be blank')
  if (!isStorable(text)) throw badField(field, 'must be well-formed Unicode text without the NUL character')
  if (rules.lines !== true && /\p{Cc}/u.test(text)) throw badField(field, 'must not contain control characters')
  return text
}

export function requireInstant(field: string, text: string): Date {
  const instant = parseInstant(text)
  if (instant === null) throw badField(field, 'must be a real time between 1970 and 3000, like 2026-11-15T10:00:00Z')
  return instant
}

export function requireTimeZone(field: string, name: string): string {
  if (!isTimeZone(name)) throw badField(field, 'must be a time zone of the IANA database, like Asia/Ho_Chi_Minh')
  return name
}

/** Free JSON from untrusted input: bounded in size and depth, without values that the ledger cannot store exactly. */
export function requireExtras(
  field: string,
  extras: Record<string, unknown>,
  bytesMax: number = EVENT_LIMITS.extrasBytes,
): Record<string, unknown> {
  requireShallow(field, extras, EVENT_LIMITS.extrasDepth)
  const bytes = new TextEncoder().encode(JSON.stringify(extras)).length
  if (bytes > bytesMax) throw badField(field, `must not be larger than ${bytesMax} bytes, and is ${bytes}`)
  return extras
}

function requireShallow(field: string, value: unknown, depthLeft: number): void {
  if (typeof value === 'string' && !isStorable(value)) {
    throw badField(field, 'must be well-formed Unicode text without the NUL character')
  }
  if (typeof value !== 'object' || value === null) return
  if (depthLeft === 0) throw badField(field, `must not be nested deeper than ${EVENT_LIMITS.extrasDepth} levels`)
  for (const [key, inner] of Object.entries(value)) {
    requireShallow(field, key, depthLeft)
    requireShallow(field, inner, depthLeft - 1)
  }
}

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

export function badField(field: string, expectation: string): SeatwiseError {
  return new SeatwiseError('BAD_REQUEST', {
    message: `body/${field} ${expectation}`,
    details: { field: `body/${field}` },
  })
}

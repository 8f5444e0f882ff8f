import type { ErrorCode } from '../errors.ts'
import { SeatwiseError } from '../errors.ts'
import type { SaleEvent } from '../event/event.ts'
import type { QueueEntry } from '../line/queue-entry.ts'
import type { RoomSettings } from '../line/room-settings.ts'
import type { Reservation } from '../seats/reservation.ts'

/*
 * Parses our own objects from JSON that our own `JSON.stringify` wrote. Times become Dates again; all other values are JSON
 * already. Untrusted input is validated elsewhere, field by field.
 */

export const parseSaleEvent = (text: string): SaleEvent =>
  reviveTimes(JSON.parse(text) as SaleEvent, [
    'startsAt',
    'endsAt',
    'doorsAt',
    'presaleStartAt',
    'salesStartAt',
    'salesEndAt',
    'refundsUntil',
    'createdAt',
    'updatedAt',
  ])

export const parseReservation = (text: string): Reservation =>
  reviveTimes(JSON.parse(text) as Reservation, ['expiresAt', 'paidAt', 'createdAt', 'updatedAt'])

export const parseQueueEntry = (text: string): QueueEntry =>
  reviveTimes(JSON.parse(text) as QueueEntry, ['joinedAt', 'admittedAt', 'enteredAt', 'deadline', 'endedAt'])

export const parseRoomSettings = (text: string): RoomSettings => JSON.parse(text) as RoomSettings

interface ErrorOnWire {
  code: ErrorCode
  message: string
  retryAfterSeconds?: number
  details: Record<string, unknown>
}

/** The fields of an error that a caller needs to act on it; cause and stack stay where it happened. */
export function errorToJson(error: SeatwiseError): string {
  const { code, message, details, retryAfterSeconds } = error
  const wire: ErrorOnWire = { code, message, details }
  if (retryAfterSeconds !== undefined) wire.retryAfterSeconds = retryAfterSeconds
  return JSON.stringify(wire)
}

export function parseError(text: string): SeatwiseError {
  const { code, ...options } = JSON.parse(text) as ErrorOnWire
  return new SeatwiseError(code, options)
}

function reviveTimes<Value extends object>(value: Value, times: readonly (keyof Value)[]): Value {
  const revived: Value = { ...value }
  for (const key of times) {
    const text: unknown = value[key]
    if (typeof text === 'string') Object.assign(revived, { [key]: new Date(text) })
  }
  return revived
}

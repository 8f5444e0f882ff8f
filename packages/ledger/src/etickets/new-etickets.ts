import { randomBytes, randomUUID } from 'node:crypto'
import { type Reservation, SHORT_CODE_LENGTH, shortCodeOf } from '@seatwise/domain'
import { type Call, prepareStatement } from '../engine/index.ts'
import type { NewEticket } from './etickets.ts'

const READ_ETICKET_FACTS = prepareStatement(import.meta.url, 'read-eticket-facts.sql')
const INSERT_ETICKETS = prepareStatement(import.meta.url, 'insert-etickets.sql')

/** What is printed on the e-tickets of an event besides the seat. */
export interface EticketFacts
  extends Pick<NewEticket, 'organizationId' | 'eventName' | 'location' | 'timeZone' | 'startsAt' | 'endsAt'> {
  /** Then nothing is sold any more. */
  readonly isCancelled: boolean
  /** By seat type. */
  readonly seatTypeNames: Readonly<Record<string, string>>
}

/** Calls read-eticket-facts.sql. */
export function eticketFactsToRead(eventId: string): Call {
  return { statement: READ_ETICKET_FACTS, parameters: [eventId] }
}

/**
 * The e-tickets of a reservation that is paid for at that moment, in the order of the plan. They are made before they are
 * written, so that the answer which shows them is written in the same round trip.
 */
export function newEtickets(
  reservation: Reservation,
  { seatTypeNames, isCancelled: _, ...printed }: EticketFacts,
  issuedAt: Date,
): NewEticket[] {
  const { id: reservationId, eventId, buyerId, items } = reservation
  return items.map(({ seatId, seatTypeId, row, number }) => {
    const seatTypeName = seatTypeNames[seatTypeId]
    if (seatTypeName === undefined) throw new Error(`The event ${eventId} has no seat type ${seatTypeId}`)
    const seat = { seatId, seatTypeName, row, number }
    const state = { issuedAt, checkedInAt: null, isVoid: false }
    // Drawn by chance: a batch in which one is taken already fails, and its payments are confirmed one by one.
    const shortCode = shortCodeOf(randomBytes(SHORT_CODE_LENGTH))
    const owner = { buyerId, holderId: buyerId, generation: 1 }
    return { id: randomUUID(), shortCode, reservationId, eventId, ...owner, ...printed, ...seat, ...state }
  })
}

/** Calls insert-etickets.sql for new e-tickets of one event. */
export function eticketsToWrite(etickets: readonly NewEticket[]): Call[] {
  const [first] = etickets
  if (first === undefined) return []
  const parameters = [
    first.eventId,
    first.issuedAt,
    etickets.map(({ id }) => id),
    etickets.map(({ reservationId }) => reservationId),
    etickets.map(({ seatId }) => seatId),
    etickets.map(({ shortCode }) => shortCode),
  ]
  return [{ statement: INSERT_ETICKETS, parameters }]
}

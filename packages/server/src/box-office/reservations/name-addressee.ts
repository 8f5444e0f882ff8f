import { SeatwiseError } from '@seatwise/domain'
import { type Ledger, type NamedAddressee, type ReservationRow, nameAddressee as store } from '@seatwise/ledger'
import type { Static } from 'typebox'
import { requireEmail, requireName } from '../../identity/index.ts'
import { unknownReservation } from './cancel-reservation.ts'
import type { AddresseeBody } from './schemas.ts'

/**
 * Says who a reservation is for: mail about it goes to that address, also for a buyer without an account. A retry says
 * the same again, so that it needs no key.
 */
export async function nameAddressee(
  { ledger }: { readonly ledger: Ledger },
  of: { readonly reservationId: string; readonly buyerId: string },
  body: Static<typeof AddresseeBody>,
): Promise<ReservationRow> {
  const outcome = await store(ledger.db, { ...of, ...readAddresseeBody(body) })
  switch (outcome.status) {
    case 'named':
      return outcome.reservation
    case 'unknown':
      throw unknownReservation()
    case 'not_yours':
      throw notYours()
    case 'ended':
      throw endedError(outcome.reservation)
  }
}

export function readAddresseeBody({ email, name, language }: Static<typeof AddresseeBody>): NamedAddressee {
  return {
    email: requireEmail(email).address,
    name: name === undefined ? null : requireName(name),
    language: language ?? null,
  }
}

export const notYours = () => new SeatwiseError('FORBIDDEN', { message: 'This reservation is not yours' })

/** A pending one that was refused is overdue: the next sweep ends it. */
export function endedError({ status }: ReservationRow): SeatwiseError {
  if (status === 'EXPIRED' || status === 'PENDING_PAYMENT') return new SeatwiseError('RESERVATION_EXPIRED')
  return new SeatwiseError('RESERVATION_ENDED', { details: { status } })
}

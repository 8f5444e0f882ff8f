import type { Reservation } from '@seatwise/domain'
import { expect, it } from 'vitest'
import { showReservation } from '../src/reservations/show-reservation.ts'
import { writeReservation } from '../src/reservations/write-reservation.ts'

const createdAt = new Date('2026-11-16T10:00:00.123Z')
const pending: Reservation = {
  ...{ id: '0190', eventId: 'e1', buyerId: 'nobody is shown this', status: 'PENDING_PAYMENT', currency: 'EUR' },
  items: [
    { seatId: 's1', seatTypeId: 't1', row: 'A "best" \\ \n\u2028 row', number: 7, price: 4_500 },
    { seatId: 's2', seatTypeId: 't1', row: null, number: null, price: 0 },
  ],
  ...{ amount: 4_500, createdAt, updatedAt: createdAt, expiresAt: new Date(createdAt.getTime() + 1), paidAt: null },
}
const paid: Reservation = { ...pending, items: [], status: 'PAID', paidAt: new Date(1), updatedAt: new Date(2) }

it.each([pending, paid])('[B25] a reservation is written as it is shown, to the letter: $status', (reservation) => {
  expect(writeReservation(reservation)).toBe(JSON.stringify(showReservation(reservation)))
})

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { newEmail, PASSWORD } from '../../support/accounts.ts'
import { expectError } from '../../support/kernel.ts'
import {
  Buyer,
  forEachMode,
  HOUSE,
  heldSeats,
  OPEN_FLOOR,
  seatIdsOf,
  seatsOf,
  typeIdsOf,
  until,
} from '../../support/reservation.ts'
import type { RoomBench } from '../../support/room.ts'

forEachMode('the life of a reservation', (open) => {
  let bench: RoomBench

  beforeAll(async () => {
    bench = await open()
    bench.server.services.boxOffice.start()
  })

  it('[B16] canceling frees the seats once; canceling again gives the same answer; the visitor stays', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const seatIds = (await seatIdsOf(bench, sale)).slice(0, 2)
    const ada = await Buyer.admitted(bench, sale)
    const { id } = await ada.reserved({ seatIds })
    const first = await ada.cancel(id)
    expect([first.statusCode, first.json()]).toMatchObject([200, { id, status: 'CANCELED' }])
    expect(await heldSeats(bench, sale)).toBe(0)
    const bob = await Buyer.admitted(bench, sale)
    await bob.reserved({ seatIds })
    expect((await ada.cancel(id)).json()).toEqual(first.json())
    expect(await heldSeats(bench, sale)).toBe(2)
    expect((await bench.status(sale, ada.ticket)).status).toBe('active')
    expect((await ada.reserve({ seatIds: (await seatIdsOf(bench, sale)).slice(2, 3) })).statusCode).toBe(201)
  })

  it('[B17] a hold ends by itself at its deadline, and its seats are free again', async () => {
    const sale = await bench.sale({ ...OPEN_FLOOR, reservationSeconds: 1 }, HOUSE)
    const ada = await Buyer.admitted(bench, sale)
    const { id, expiresAt } = await ada.reserved({ seatIds: (await seatIdsOf(bench, sale)).slice(0, 1) })
    let endedAt = 0
    await until(async () => {
      const { status } = (await ada.read(`/api/reservations/${id}`)).json<{ status: string }>()
      endedAt = Date.now()
      return status === 'EXPIRED'
    })
    expect(endedAt).toBeGreaterThanOrEqual(Date.parse(expiresAt))
    expect(await heldSeats(bench, sale)).toBe(0)
    expectError(await ada.cancel(id), 400, 'RESERVATION_EXPIRED')
  })

  it('[B19] leaving the floor, termination and completing give the seats back', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const seatIds = await seatIdsOf(bench, sale)
    const [ada, bob, cem] = await Promise.all([1, 2, 3].map(() => Buyer.admitted(bench, sale)))
    if (ada === undefined || bob === undefined || cem === undefined) throw new Error('Three came')
    const reservations = [
      await ada.reserved({ seatIds: seatIds.slice(0, 1) }),
      await bob.reserved({ seatIds: seatIds.slice(1, 2) }),
      await cem.reserved({ seatIds: seatIds.slice(2, 3) }),
    ]
    const { ticketId } = await bench.status(sale, bob.ticket)
    await bench.call('DELETE', `${sale}/queue`, { ticket: ada.ticket })
    await bench.call('POST', `${sale}/queue/terminate`, { as: bench.admin.authorization, body: { ticketId } })
    await bench.call('POST', `${sale}/queue/complete`, { ticket: cem.ticket })
    await until(async () => (await heldSeats(bench, sale)) === 0)
    for (const [index, buyer] of [ada, bob, cem].entries()) {
      const answer = await buyer.read(`/api/reservations/${reservations[index]?.id}`)
      expect(answer.json()).toMatchObject({ status: 'CANCELED' })
    }
  })

  it('[B19] [M14] a reservation moves the deadline of the visit to its own', async () => {
    const sale = await bench.sale({ ...OPEN_FLOOR, sessionSeconds: 60, reservationSeconds: 200 }, HOUSE)
    const ada = await Buyer.admitted(bench, sale)
    const reservation = await ada.reserved({ seatIds: (await seatIdsOf(bench, sale)).slice(0, 1) })
    const status = await bench.status(sale, ada.ticket)
    expect(status.expiresAt).toBe(reservation.expiresAt)
    expect(status.reservation).toMatchObject({ id: reservation.id, status: 'PENDING_PAYMENT' })
  })

  it('[B55] [I30] replacing a reservation again and again keeps seats no longer than one visit lasts', async () => {
    const sale = await bench.sale({ ...OPEN_FLOOR, sessionSeconds: 1, reservationSeconds: 2 }, HOUSE)
    const seatIds = (await seatIdsOf(bench, sale)).slice(0, 2)
    const hog = await Buyer.admitted(bench, sale)
    const { expiresAt: sessionEnd } = await bench.status(sale, hog.ticket)
    const visitEnd = Date.parse(String(sessionEnd)) + 2_000
    const ends: number[] = []
    const refusals: string[] = []
    await until(async () => {
      const answer = await hog.reserve({ seatIds: [seatIds[ends.length % 2]] })
      if (answer.statusCode === 201) ends.push(Date.parse(answer.json<{ expiresAt: string }>().expiresAt))
      else refusals.push(answer.json<{ code: string }>().code)
      return refusals.length > 0 || Date.now() > visitEnd + 1_000
    })
    expect(ends.length).toBeGreaterThan(2)
    expect(['NO_TIME_LEFT', 'NOT_ACTIVE']).toContain(refusals[0])
    // The gate's word is a moment old when the ledger holds the seats.
    expect(Math.max(...ends)).toBeLessThan(visitEnd + 500)
    await until(async () => (await heldSeats(bench, sale)) === 0)
    expect(Date.now()).toBeLessThan(visitEnd + 5_000)
    await until(async () => (await bench.status(sale, hog.ticket)).status === 'expired')
  })

  it('[B14] [B19] returned seats admit the next visitor; held ones keep visitors waiting', async () => {
    const sale = await bench.sale(OPEN_FLOOR, { totalSeats: 1 })
    const [general = ''] = await typeIdsOf(bench, sale)
    const ada = await Buyer.admitted(bench, sale)
    const { ticketToken } = await bench.join(sale, bench.buyer('Bob'))
    const { id } = await ada.reserved({ seatTypeId: general, quantity: 1 })
    expect((await bench.status(sale, ticketToken)).status).toBe('waiting')
    await bench.call('DELETE', `${sale}/queue`, { ticket: ada.ticket })
    await until(async () => (await bench.status(sale, ticketToken)).status === 'active')
    expect((await ada.read(`/api/reservations/${id}`)).json()).toMatchObject({ status: 'CANCELED' })
  })

  it('[I27] every visitor on the floor without a reservation can reserve one seat, in any order', async () => {
    const sale = await bench.sale(OPEN_FLOOR, { totalSeats: 6 })
    const [general = ''] = await typeIdsOf(bench, sale)
    const buyers = await Promise.all(Array.from({ length: 6 }, () => Buyer.admitted(bench, sale)))
    // All of them ask for too many at once; then each takes one.
    await Promise.all(buyers.map((buyer) => buyer.reserve({ seatTypeId: general, quantity: 3 })))
    const answers = await Promise.all(buyers.map((buyer) => buyer.reserve({ seatTypeId: general, quantity: 1 })))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201, 201, 201])
    expect(await heldSeats(bench, sale)).toBe(6)
  })

  it('[P6] [P9] with fewer seats than buyers exactly as many succeed as there are seats', async () => {
    for (const seats of [1, 2, 3, 5, 8]) {
      const sale = await bench.sale({ ...OPEN_FLOOR, stockAware: false }, { totalSeats: seats })
      const [general = ''] = await typeIdsOf(bench, sale)
      const buyers = await Promise.all(Array.from({ length: seats * 3 }, () => Buyer.admitted(bench, sale)))
      const answers = await Promise.all(buyers.map((buyer) => buyer.reserve({ seatTypeId: general, quantity: 1 })))
      const codes = answers.map(({ statusCode }) => statusCode)
      expect(codes.filter((code) => code === 201)).toHaveLength(seats)
      expect(codes.filter((code) => code === 409)).toHaveLength(seats * 2)
      expect((await seatsOf(bench, sale)).filter(({ status }) => status === 'available')).toHaveLength(0)
    }
  })

  it('[B40] a guest who signs in keeps the reservation, can pay for it, and their slot is free', async () => {
    const sale = await bench.sale({ ...OPEN_FLOOR, guests: true, guestsPerAddress: 1_000 }, HOUSE)
    const joined = await bench.join(sale, '')
    const guest = new Buyer(bench, sale, `Bearer ${joined.accessToken}`, joined.ticketToken)
    await guest.look()
    const { id } = await guest.reserved({ seatIds: (await seatIdsOf(bench, sale)).slice(0, 1) })
    const answer = await bench.call('POST', '/api/auth/register', {
      headers: { 'seatwise-guest': joined.accessToken ?? '' },
      body: { email: newEmail(), password: PASSWORD, name: 'Ada' },
    })
    const { accessToken, tickets } = answer.json<{ accessToken: string; tickets: { ticketToken: string }[] }>()
    const account = new Buyer(bench, sale, `Bearer ${accessToken}`, tickets[0]?.ticketToken ?? '')
    expect((await account.read(`/api/reservations/${id}`)).json()).toMatchObject({ id, status: 'PENDING_PAYMENT' })
    expectError(await guest.read(`/api/reservations/${id}`), 401, 'UNAUTHORIZED')
    const paid = await bench.call('POST', '/api/purchases', {
      as: account.authorization,
      headers: { 'idempotency-key': randomUUID() },
      body: { reservationId: id, paymentMethod: 'sandbox_ok' },
    })
    expect(paid.statusCode).toBe(201)
    await until(async () => (await bench.status(sale, account.ticket)).status === 'completed')
  })
})

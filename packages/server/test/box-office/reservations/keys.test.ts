import { randomUUID } from 'node:crypto'
import { faults } from '@seatwise/domain'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expectError } from '../../support/kernel.ts'
import { Buyer, forEachMode, HOUSE, OPEN_FLOOR, seatIdsOf, seatsOf, typeIdsOf } from '../../support/reservation.ts'
import { openRoomServer, RoomBench } from '../../support/room.ts'

forEachMode('idempotency keys', (open) => {
  let bench: RoomBench
  let sale: string
  let seatIds: string[]

  beforeAll(async () => {
    bench = await open()
    sale = await bench.sale(OPEN_FLOOR, HOUSE)
    seatIds = await seatIdsOf(bench, sale)
  })

  describe('calls', () => {
    afterEach(() => faults.disarm())

    it('[B25] the same key and body again gives the same answer, and holds nothing more', async () => {
      const ada = await Buyer.admitted(bench, sale)
      const key = randomUUID()
      const first = await ada.reserve({ seatIds: seatIds.slice(0, 2) }, key)
      expect(first.statusCode).toBe(201)
      const again = await ada.reserve({ seatIds: seatIds.slice(0, 2).reverse() }, key)
      expect([again.statusCode, again.json()]).toEqual([201, first.json()])
      expect((await ada.read('/api/reservations')).json<{ items: unknown[] }>().items).toHaveLength(1)
      const operation = await ada.read(`/api/operations/${key}`)
      expect(operation.json()).toEqual({ status: 'done', result: first.json() })
    })

    it('[B25] the same key with another body is 422', async () => {
      const ada = await Buyer.admitted(bench, sale)
      const key = randomUUID()
      await ada.reserved({ seatIds: seatIds.slice(2, 3) }, key)
      expectError(await ada.reserve({ seatIds: seatIds.slice(3, 4) }, key), 422, 'KEY_REUSED')
      // Also where the other body could not be granted anyway.
      expectError(await ada.reserve({ seatIds: seatIds.slice(0, 1) }, key), 422, 'KEY_REUSED')
      const [, standing = ''] = await typeIdsOf(bench, sale)
      expectError(await ada.reserve({ seatTypeId: standing, quantity: 6 }, key), 422, 'KEY_REUSED')
    })

    it('[B25] canceling takes a key, too: the same key repeats the first answer, and another operation cannot use it', async () => {
      const own = await bench.sale(OPEN_FLOOR, HOUSE)
      const ada = await Buyer.admitted(bench, own)
      const [seat = ''] = await seatIdsOf(bench, own)
      const { id } = await ada.reserved({ seatIds: [seat] })
      const key = randomUUID()
      const cancel = (reservationId: string) =>
        bench.call('DELETE', `/api/reservations/${reservationId}`, {
          as: ada.authorization,
          headers: { 'idempotency-key': key },
        })
      const first = await cancel(id)
      expect([first.statusCode, first.json<{ status: string }>().status]).toEqual([200, 'CANCELED'])
      const other = await ada.reserved({ seatIds: [seat] })
      expect((await cancel(id)).json()).toEqual(first.json())
      expectError(await cancel(other.id), 422, 'KEY_REUSED')
      expectError(await ada.reserve({ seatIds: [seat] }, key), 422, 'KEY_REUSED')
      expect((await ada.read(`/api/operations/${key}`)).json()).toEqual({ status: 'done', result: first.json() })
    })

    it('[B25] the same key used by two visitors means two requests', async () => {
      const ada = await Buyer.admitted(bench, sale)
      const bob = await Buyer.admitted(bench, sale)
      const key = randomUUID()
      const one = await ada.reserved({ seatIds: seatIds.slice(4, 5) }, key)
      const other = await bob.reserved({ seatIds: seatIds.slice(5, 6) }, key)
      expect(other.id).not.toBe(one.id)
      expect((await bob.read(`/api/operations/${key}`)).json()).toMatchObject({ result: { id: other.id } })
      expectError(await bob.read(`/api/operations/${randomUUID()}`), 404, 'NOT_FOUND')
    })

    it('[B25] the answer stays after another visitor got the seats and this one left', async () => {
      const ada = await Buyer.admitted(bench, sale)
      const bob = await Buyer.admitted(bench, sale)
      const key = randomUUID()
      const wish = { seatIds: seatIds.slice(6, 7) }
      const first = await ada.reserve(wish, key)
      await ada.cancel(first.json<{ id: string }>().id)
      await bob.reserved(wish)
      expect((await ada.reserve(wish, key)).json()).toEqual(first.json())
      await bench.call('DELETE', `${sale}/queue`, { ticket: ada.ticket })
      expect((await ada.reserve(wish, key)).json()).toEqual(first.json())
      expectError(await ada.reserve(wish, randomUUID()), 403, 'NOT_ACTIVE')
    })

    it('[B26] a refusal without effect leaves the key free', async () => {
      const ada = await Buyer.admitted(bench, sale)
      const bob = await Buyer.admitted(bench, sale)
      const key = randomUUID()
      const wish = { seatIds: seatIds.slice(7, 8) }
      const { id } = await ada.reserved(wish)
      expectError(await bob.reserve(wish, key), 409, 'SEAT_TAKEN')
      expectError(await bob.read(`/api/operations/${key}`), 404, 'NOT_FOUND')
      expect((await ada.cancel(id)).json()).toMatchObject({ status: 'CANCELED' })
      expect((await bob.reserve(wish, key)).statusCode).toBe(201)
    })

    it('[B27] a key is 409 with Retry-After while its first call runs, and pending until it ends', async () => {
      const ada = await Buyer.admitted(bench, sale)
      const key = randomUUID()
      const wish = { seatIds: seatIds.slice(8, 9) }
      const reached = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      faults.arm('reserve.after-gate', async () => {
        reached.resolve()
        await goOn.promise
      })
      const first = ada.reserve(wish, key)
      await reached.promise
      const second = await ada.reserve(wish, key)
      expectError(second, 409, 'IN_PROGRESS')
      expect(second.headers['retry-after']).toBe('1')
      expect((await ada.read(`/api/operations/${key}`)).json()).toEqual({ status: 'pending' })
      goOn.resolve()
      expect((await first).statusCode).toBe(201)
      expect((await ada.reserve(wish, key)).json()).toEqual((await first).json())
      expect((await ada.read(`/api/operations/${key}`)).json()).toMatchObject({ status: 'done' })
    })

    it('[B5] another key replaces what the ticket holds, and keeps it if the new claim fails', async () => {
      const ada = await Buyer.admitted(bench, sale)
      const row = await seatIdsOf(bench, sale, 'B')
      const first = await ada.reserved({ seatIds: row.slice(0, 2) })
      expectError(await ada.reserve({ seatIds: [...row.slice(1, 3), ...seatIds.slice(0, 1)] }), 409, 'SEAT_TAKEN')
      const second = await ada.reserved({ seatIds: row.slice(1, 3) })
      expect((await ada.read(`/api/reservations/${first.id}`)).json()).toMatchObject({ status: 'CANCELED' })
      expect((await ada.read(`/api/reservations/${second.id}`)).json()).toMatchObject({ status: 'PENDING_PAYMENT' })
      const free = (await seatsOf(bench, sale)).filter(({ id, status }) => id === row[0] && status === 'available')
      expect(free).toHaveLength(1)
    })
  })

  it('[B25] the answer outlives the server', async () => {
    const { server } = bench
    const ada = await Buyer.admitted(bench, sale)
    const key = randomUUID()
    const wish = { seatIds: (await seatIdsOf(bench, sale, 'B')).slice(8, 10) }
    const first = await ada.reserve(wish, key)
    expect(first.statusCode).toBe(201)
    await server.close()
    const next = await openRoomServer(server.ledger, { secrets: server.secrets })
    const later = new Buyer(new RoomBench(next, bench.organizer, bench.admin), sale, ada.authorization, ada.ticket)
    const again = await later.reserve(wish, key, ada.pass)
    expect([again.statusCode, again.json()]).toEqual([201, first.json()])
    await next.close()
  })
})

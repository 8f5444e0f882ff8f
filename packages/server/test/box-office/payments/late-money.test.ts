import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { expectError } from '../../support/kernel.ts'
import { Cashier, type Ready, type WirePurchase } from '../../support/payment.ts'
import { HOUSE, OPEN_FLOOR, seatIdsOf } from '../../support/reservation.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

forEachMode('late money', (open) => {
  let bench: RoomBench
  let cashier: Cashier

  beforeAll(async () => {
    bench = await open()
    cashier = await Cashier.open(bench)
  })

  /** A buyer with a slow payment that is captured; the hold expires before the server hears of it. */
  async function tooLate(ready: Ready) {
    const { buyer, reservation } = ready
    const key = randomUUID()
    const answer = await cashier.pay(buyer, reservation.id, 'sandbox_slow:lost', key)
    expect(answer.statusCode).toBe(202)
    await cashier.expire(reservation)
    expect((await buyer.read(`/api/reservations/${reservation.id}`)).json()).toMatchObject({ status: 'EXPIRED' })
    return { ...ready, key, id: answer.json<WirePurchase>().id }
  }

  const moneyComes = async (): Promise<void> => {
    await cashier.wait(4)
    await cashier.watch()
  }

  it('[B31] takes the same seats again when they are free', async () => {
    const { buyer, reservation, id, key, seatIds } = await tooLate(await cashier.ready(undefined, [0, 1]))
    await moneyComes()
    expect(await cashier.purchase(id)).toMatchObject({ status: 'PAID', captured: 18_000 })
    const { result } = (await cashier.operation(buyer, key)).json<{ result: WirePurchase }>()
    expect(result.reservation).toMatchObject({ id: reservation.id, status: 'PAID' })
    expect(result.etickets.map(({ seatId }) => seatId).sort()).toEqual([...seatIds].sort())
  })

  it('[B31] takes equal seats when another buyer has those', async () => {
    const { buyer, id, key, seatIds } = await tooLate(await cashier.ready(undefined, [4, 5]))
    const rival = await cashier.ready(buyer.sale, [5])
    await cashier.paid(rival.buyer, rival.reservation.id)
    await moneyComes()
    expect(await cashier.purchase(id)).toMatchObject({ status: 'PAID' })
    const { result } = (await cashier.operation(buyer, key)).json<{ result: WirePurchase }>()
    const given = result.etickets.map(({ seatId }) => seatId)
    expect(given).toHaveLength(2)
    expect(given).not.toContain(seatIds[1])
    expect(result.reservation.items.map(({ seatId }) => seatId).sort()).toEqual([...given].sort())
    expect(result.reservation.items.map(({ price }) => price)).toEqual([9_000, 9_000])
  })

  it('[B31] is refunded automatically when no equal seat is left', async () => {
    const sale = await bench.sale(
      { ...OPEN_FLOOR, stockAware: false },
      {
        ...HOUSE,
        seatTypes: [{ ...HOUSE.seatTypes[0], rows: [{ label: 'A', seats: 2 }] }],
      },
    )
    const { buyer, reservation, id, key } = await tooLate(await cashier.ready(sale, [0]))
    const rival = await cashier.ready(sale, [0, 1])
    expect(await seatIdsOf(bench, sale)).toHaveLength(2)
    await cashier.paid(rival.buyer, rival.reservation.id)
    await moneyComes()
    expect(await cashier.purchase(id)).toMatchObject({ status: 'REFUNDED', captured: 9_000, refunded: 9_000 })
    expect(await cashier.books(id)).toMatchObject({ captured: 9_000, refunded: 9_000 })
    const told = await cashier.pay(buyer, reservation.id, 'sandbox_slow:lost', key)
    expect(expectError(told, 400, 'RESERVATION_EXPIRED')).toMatchObject({ sentBack: true, purchaseId: id })
  })

  it('[B31] a buyer at the bank cannot pay any more once the hold has expired', async () => {
    const { buyer, reservation } = await cashier.ready()
    const answer = await cashier.pay(buyer, reservation.id, 'sandbox_3ds')
    const { id, action } = answer.json<WirePurchase>()
    await cashier.expire(reservation)
    await cashier.wait(4)
    await cashier.watch()
    expect(await cashier.purchase(id)).toMatchObject({ status: 'DECLINED' })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const url = action?.url ?? ''
    await bench.server.app.inject({ method: 'POST', url, headers, payload: 'decision=approve' })
    expect(await cashier.books(id)).toMatchObject({ status: 'canceled', captured: 0 })
  })
})

import { randomUUID } from 'node:crypto'
import { editEvent, expireReservations, type Ledger, readReservation, readSeatMap } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import {
  begin,
  capture,
  claimAll,
  claimOf,
  countsInOrder,
  hold,
  moveDeadline,
  openSale,
  type Sale,
  seatId,
  sell,
} from '../sale-kit.ts'

forEachLedger('reservations of several seat types', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  /** Seats 0 to 2 cost 9,000, seats 3 to 5 cost 2,500. */
  const openMixed = (): Promise<Sale> =>
    openSale(ledger, {
      seatTypes: [
        { name: 'Stalls', price: 9_000, currency: 'EUR', rows: [{ label: 'A', seats: 3 }] },
        { name: 'Balcony', price: 2_500, currency: 'EUR', rows: [{ label: 'B', seats: 3 }] },
      ],
    })
  /** Seats 6 to 8 are another row of the stalls, added later. */
  const extended = async (sale: Sale): Promise<Sale> => {
    const rows = [{ label: 'C', seats: 3 }]
    const body = { seatTypes: [{ id: sale.event.seatTypes[0]?.id ?? '', rows }] }
    const outcome = await editEvent(ledger, { eventId: sale.event.id, body, newId: randomUUID })
    if (outcome.status !== 'edited') throw new Error(`not edited: ${outcome.status}`)
    const map = await readSeatMap(ledger.db, sale.event.id, null)
    return { ...sale, event: outcome.event, seats: map === 'unchanged' ? [] : JSON.parse(map.seats) }
  }
  const wishFor = (sale: Sale, ...indexes: number[]) => ({ seatIds: indexes.map((index) => seatId(sale, index)) })

  it('[B1] each seat costs what its type costs, and the reservation their sum, alone and in a crowd', async () => {
    const sale = await openMixed()
    const alone = await readReservation(ledger.db, await hold(sale, wishFor(sale, 3, 0)))
    // The second and the third want the same seat, so that the fast path leaves them to the slow one.
    const crowd = [[4, 1], [5, 2], [5]].map((indexes) => claimOf(sale, wishFor(sale, ...indexes)))
    const replies = await claimAll(sale, crowd)
    expect(replies.map(({ status }) => status)).toEqual(['held', 'held', 'taken'])
    const inCrowd = await readReservation(ledger.db, crowd[1]?.reservationId ?? '')
    for (const reservation of [alone, inCrowd]) {
      expect(reservation?.items.map(({ price }) => price)).toEqual([9_000, 2_500])
      expect(reservation?.amount).toBe(11_500)
    }
  })

  it('[B31] late money gets seats of the types it was paid for, each for one of its own', async () => {
    const sale = await extended(await openMixed())
    // Stalls, balcony, and stalls again: the last row was added when the balcony was there.
    const purchase = await begin(sale, await hold(sale, wishFor(sale, 0, 3, 6)))
    await moveDeadline(sale, purchase.reservationId, -1)
    await expireReservations(ledger, sale.event.id)
    await sell(sale, wishFor(sale, 0, 3, 6))
    expect(await capture(sale, purchase)).toMatchObject({ status: 'paid', isMoved: true })
    const items = (await readReservation(ledger.db, purchase.reservationId))?.items ?? []
    const priceOf = (row: string | null) => (row === 'B' ? 2_500 : 9_000)
    expect(items.map(({ row, price }) => price - priceOf(row))).toEqual([0, 0, 0])
    expect(items.filter(({ row }) => row === 'B')).toHaveLength(1)
    expect(await countsInOrder(sale)).toMatchObject({ sold: 6, available: 3 })
  })
})

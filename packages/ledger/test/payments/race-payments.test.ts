import { expireReservations, type Ledger, readPurchase, readReservation } from '@seatwise/ledger'
import { forEachLedger, seededRandom, testSeed } from '@seatwise/testbench'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import {
  begin,
  claimOf,
  claimOne,
  countsInOrder,
  hold,
  moveDeadline,
  openStanding,
  seatRows,
} from '../reservations/sale-kit.ts'
import { payManyAtTheDeadline } from './race-payments-kit.ts'

forEachLedger('the race between paying and expiring', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  it('[B16, B28, B31] money within 50 ms of the deadline, many times: each capture is one purchase or one refund', async () => {
    const random = seededRandom(testSeed())
    // The long test has 2,000 of them.
    const many = ledger.kind === 'pglite' ? { times: 40, lanes: 2 } : { times: 120, lanes: 8 }
    const tally = await payManyAtTheDeadline(ledger, { ...many, random })
    // Where only one thing ever happens, nothing was raced.
    expect(tally.inTime).toBeGreaterThan(0)
    expect(tally.late + tally.refunded).toBeGreaterThan(0)
  })

  it('[B28 control] looking and confirming in two statements without the lock keeps money for a seat that another buyer has', async () => {
    const sale = await openStanding(ledger, 1)
    const purchase = await begin(sale, await hold(sale, 1))
    await moveDeadline(sale, purchase.reservationId, -1)
    const seen = await readReservation(ledger.db, purchase.reservationId)
    expect(seen?.status).toBe('PENDING_PAYMENT')
    // Between the look and the update, the hold ends and another buyer gets the seat.
    await expireReservations(ledger, sale.event.id)
    const rival = claimOf(sale, 1)
    expect(await claimOne(sale, rival)).toMatchObject({ status: 'held' })
    await sql`update purchases set status = 'PAID', captured = amount where id = ${purchase.id}`.execute(ledger.db)
    expect(await readPurchase(ledger.db, purchase.id)).toMatchObject({ status: 'PAID', captured: 4_500 })
    expect((await seatRows(sale)).map(({ reservation_id }) => reservation_id)).toEqual([rival.reservationId])
    expect(await countsInOrder(sale)).toMatchObject({ sold: 0 })
  })
})

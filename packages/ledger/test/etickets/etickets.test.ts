import { randomUUID } from 'node:crypto'
import {
  checkIn,
  inTransaction,
  issueEtickets,
  type Ledger,
  readEticket,
  readEticketsOf,
  readEticketsOfHolder,
  startRefund,
} from '@seatwise/ledger'
import { forEachLedger, openScratchLedger, waitUntil } from '@seatwise/testbench'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { claimOf, claimOne, openStanding } from '../reservations/sale-kit.ts'
import { buySeats, refundSeats } from './paid-kit.ts'

forEachLedger('e-tickets', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  it('[B35] every seat that was paid for has one e-ticket, however often they are made', async () => {
    const paid = await buySeats(ledger, 3)
    expect(paid.etickets).toHaveLength(3)
    const again = await inTransaction(ledger, (transaction) => issueEtickets(transaction, { id: paid.reservationId }))
    expect(again).toEqual(paid.etickets)
    expect(await readEticketsOf(ledger.db, [paid.reservationId])).toEqual(paid.etickets)
    expect(await readEticketsOfHolder(ledger.db, paid.buyerId, 10)).toEqual(paid.etickets)
    expect(paid.etickets[0]).toMatchObject({ eventName: 'Aurora Live', seatTypeName: 'Standing', isVoid: false })
  })

  it('[B35] an unpaid seat gets none: the database refuses', async () => {
    const sale = await openStanding(ledger, 1)
    const claim = claimOf(sale, 1)
    await claimOne(sale, claim)
    const issuing = inTransaction(ledger, (transaction) => issueEtickets(transaction, { id: claim.reservationId }))
    await expect(issuing).rejects.toThrow(/violates (not-null|foreign key) constraint/)
  })

  it('[B34] a refund makes e-tickets void, already while the money is on its way', async () => {
    const paid = await buySeats(ledger, 2)
    const [first, second] = paid.etickets
    await startRefund(ledger, { purchaseId: paid.purchaseId, reason: 'asked for' })
    const by = randomUUID()
    expect(await checkIn(ledger, { eticketId: first?.id ?? '', by })).toMatchObject({ status: 'void' })
    expect(await readEticket(ledger.db, first?.id ?? '')).toMatchObject({ isVoid: true, checkedInAt: null })
    await refundSeats(ledger, paid)
    expect(await checkIn(ledger, { eticketId: second?.id ?? '', by })).toMatchObject({ status: 'void' })
    expect(await readEticket(ledger.db, second?.id ?? '')).toMatchObject({ isVoid: true, checkedInAt: null })
  })

  it('[B35] the first scan counts, the second is told when the first was, an unknown one nothing', async () => {
    const { etickets } = await buySeats(ledger, 1)
    const scan = { eticketId: etickets[0]?.id ?? '', by: randomUUID() }
    const first = await checkIn(ledger, scan)
    const second = await checkIn(ledger, { ...scan, by: randomUUID() })
    expect(first.status).toBe('checked_in')
    expect(second).toEqual({ ...first, status: 'already_used' })
    expect(await checkIn(ledger, { ...scan, eticketId: randomUUID() })).toEqual({ status: 'unknown' })
  })

  it('[B35] 60 doors scan one e-ticket at the same time: one lets in', async () => {
    const { etickets } = await buySeats(ledger, 1)
    const eticketId = etickets[0]?.id ?? ''
    const doors = Array.from({ length: 60 }, () => checkIn(ledger, { eticketId, by: randomUUID() }))
    const statuses = (await Promise.all(doors)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 'checked_in')).toHaveLength(1)
    expect(statuses.filter((status) => status === 'already_used')).toHaveLength(59)
  })

  it('[B35 control] reading first and writing later lets several in', async () => {
    const { etickets } = await buySeats(ledger, 1)
    const eticketId = etickets[0]?.id ?? ''
    const looked = await Promise.all(Array.from({ length: 60 }, () => readEticket(ledger.db, eticketId)))
    const won = looked.filter((eticket) => eticket?.checkedInAt === null)
    for (const eticket of won) await writeCheckIn(eticket?.id ?? '')
    expect(won.length).toBeGreaterThan(1)
  })

  it('[B61] a scan and a refund that come together: one of them succeeds', async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < 20; round += 1) {
      const { etickets, purchaseId } = await buySeats(ledger, 1)
      const scan = () => checkIn(ledger, { eticketId: etickets[0]?.id ?? '', by: randomUUID() })
      const refund = () => startRefund(ledger, { purchaseId, reason: 'asked for' })
      const [scanned, refunded] = await (round % 2 === 0
        ? Promise.all([scan(), refund()])
        : Promise.all([refund(), scan()]).then(([back, door]) => [door, back] as const))
      outcomes.add(`${scanned.status} ${refunded.status}`)
    }
    expect([...outcomes].filter((outcome) => !['checked_in used', 'void refunding'].includes(outcome))).toEqual([])
  })

  it('[B61] what was used is not refunded, also of several, and its seats stay sold', async () => {
    const paid = await buySeats(ledger, 2)
    await checkIn(ledger, { eticketId: paid.etickets[1]?.id ?? '', by: randomUUID() })
    const { purchaseId } = paid
    expect(await startRefund(ledger, { purchaseId, reason: 'asked for' })).toMatchObject({ status: 'used' })
    await refundSeats(ledger, paid)
    expect(await readEticketsOf(ledger.db, [paid.reservationId])).toMatchObject([{ isVoid: false }, { isVoid: false }])
  })

  async function writeCheckIn(id: string): Promise<void> {
    await ledger.db
      .updateTable('etickets')
      .set({ checked_in_at: new Date(), checked_in_by: randomUUID() })
      .where('id', '=', id)
      .execute()
  }
})

it('[B61 control] without the lock both succeed', async () => {
  // PGlite has one connection: nothing happens at the same time there.
  await using ledger = await openScratch()
  const { etickets, purchaseId } = await buySeats(ledger, 1)
  let refunding: ReturnType<typeof startRefund> | undefined
  const scanned = await ledger.db.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('etickets')
      .set({ checked_in_at: new Date(), checked_in_by: randomUUID() })
      .where('id', '=', etickets[0]?.id ?? '')
      .where('reservation_status', '=', 'PAID')
      .returning('id')
      .executeTakeFirst()
    // It has seen that the e-ticket is unused, and waits for its row.
    refunding = startRefund(ledger, { purchaseId, reason: 'asked for' })
    await waitUntil('the refund waits', async () => {
      const { rows } = await sql`select 1 from pg_locks where not granted`.execute(ledger.db)
      return rows.length > 0 ? true : null
    })
    return row
  })
  expect(scanned).toEqual({ id: etickets[0]?.id })
  expect(await refunding).toMatchObject({ status: 'refunding' })
})

async function openScratch(): Promise<Ledger & AsyncDisposable> {
  const ledger = await openScratchLedger()
  return { ...ledger, [Symbol.asyncDispose]: () => ledger.close() }
}

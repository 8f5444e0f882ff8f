import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { faults } from '@seatwise/domain'
import {
  expireReservations,
  type Ledger,
  numberReceipts,
  openLedger,
  readPurchase,
  readReceipts,
  startRefund,
} from '@seatwise/ledger'
import { forEachLedger, postgresDatabase, waitUntil } from '@seatwise/testbench'
import { CompiledQuery } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { begin, capture, hold, moveDeadline, openStanding, type Sale, sell } from '../../reservations/sale-kit.ts'
import { finishRefundsOf } from '../../support/finish-refunds.ts'

const HOUSE = '00000000-0000-4000-8000-000000000001'

forEachLedger('receipts', (open) => {
  let ledger: Ledger
  let sale: Sale
  let house: string
  beforeAll(async () => {
    ledger = await open()
  })
  beforeEach(async () => {
    house = await makeOrganization('The house')
    sale = await openSaleOf(house, 400)
  })
  afterEach(() => faults.disarm())

  async function makeOrganization(name: string): Promise<string> {
    const id = randomUUID()
    await ledger.db.insertInto('organizations').values({ id, name }).execute()
    return id
  }

  async function openSaleOf(organizationId: string, seats: number): Promise<Sale> {
    const opened = await openStanding(ledger, seats)
    const change = { organization_id: organizationId }
    await ledger.db.updateTable('events').set(change).where('id', '=', opened.event.id).execute()
    return opened
  }

  async function refund(purchaseId: string): Promise<void> {
    await startRefund(ledger, { purchaseId, reason: 'asked' })
    await finishRefundsOf(ledger, purchaseId)
  }

  async function expectWithoutGaps(organizationId = house): Promise<readonly number[]> {
    const rows = await ledger.db
      .selectFrom('receipts')
      .select('number')
      .where('organization_id', '=', organizationId)
      .orderBy('number')
      .execute()
    const numbers = rows.map(({ number }) => number)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    const { receipts_issued } = await ledger.db
      .selectFrom('organizations')
      .select('receipts_issued')
      .where('id', '=', organizationId)
      .executeTakeFirstOrThrow()
    expect(receipts_issued).toBe(numbers.length)
    return numbers
  }

  it('[B100] [I37] sales are numbered in their order, without a gap, and each once', async () => {
    const purchases = []
    for (let index = 0; index < 5; index += 1) purchases.push(await sell(sale, 1))
    expect(await numberReceipts(ledger)).toBe(5)
    expect(await numberReceipts(ledger)).toBe(0)
    const last = await sell(sale, 2)
    expect(await numberReceipts(ledger)).toBe(1)
    const numbers = []
    for (const { id } of [...purchases, last]) numbers.push((await readPurchase(ledger.db, id))?.receiptNumber)
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6])
    expect(await readReceipts(ledger.db, last.id)).toMatchObject([
      { number: 6, kind: 'receipt', amount: 9_000, currency: 'EUR', seller: { name: 'The house' } },
    ])
    await expectWithoutGaps()
  })

  it('[B101] a refund gets a credit note of its own, after its receipt, also when both wait', async () => {
    const early = await sell(sale, 1)
    await numberReceipts(ledger)
    await refund(early.id)
    const both = await sell(sale, 1)
    await refund(both.id)
    expect(await numberReceipts(ledger)).toBe(3)
    expect(await readReceipts(ledger.db, early.id)).toMatchObject([
      { number: 1, kind: 'receipt', amount: 4_500 },
      { number: 2, kind: 'credit_note', amount: 4_500 },
    ])
    expect(await readReceipts(ledger.db, both.id)).toMatchObject([
      { number: 3, kind: 'receipt' },
      { number: 4, kind: 'credit_note' },
    ])
    expect(await numberReceipts(ledger)).toBe(0)
    await expectWithoutGaps()
  })

  it('[B101] money that went back without a sale gets neither', async () => {
    const small = await openSaleOf(house, 1)
    const purchase = await begin(small, await hold(small, 1))
    await moveDeadline(small, purchase.reservationId, -1)
    await expireReservations(ledger, small.event.id)
    await sell(small, 1)
    expect((await capture(small, purchase)).status).toBe('refund')
    await finishRefundsOf(ledger, purchase.id)
    expect((await readPurchase(ledger.db, purchase.id))?.status).toBe('REFUNDED')
    expect(await numberReceipts(ledger)).toBe(1)
    expect(await readReceipts(ledger.db, purchase.id)).toEqual([])
  })

  it('[B102] a receipt keeps the seller’s data of its day, and each organization has numbers of its own', async () => {
    const first = await sell(sale, 1)
    await numberReceipts(ledger)
    const moved = { name: 'New name', tax_number: 'DE 1' }
    await ledger.db.updateTable('organizations').set(moved).where('id', '=', house).execute()
    const neighbor = await makeOrganization('Another house')
    const other = await openSaleOf(neighbor, 3)
    const second = await sell(sale, 1)
    const theirs = await sell(other, 1)
    expect(await numberReceipts(ledger)).toBe(2)
    const sellers = await Promise.all([first, second, theirs].map((purchase) => readReceipts(ledger.db, purchase.id)))
    expect(sellers).toMatchObject([
      [{ number: 1, seller: { name: 'The house', taxNumber: '' } }],
      [{ number: 2, seller: { name: 'New name', taxNumber: 'DE 1' } }],
      [{ number: 1, seller: { name: 'Another house' } }],
    ])
    await expectWithoutGaps()
    await expectWithoutGaps(neighbor)
  })

  it('[B100] [I37] a batch that fails half-way gives no number, and the next one goes on', async () => {
    for (let index = 0; index < 3; index += 1) await sell(sale, 1)
    faults.arm('receipts.inside-transaction', () => Promise.reject(new Error('the server dies')), 1)
    await expect(numberReceipts(ledger)).rejects.toThrow('the server dies')
    expect(await expectWithoutGaps()).toEqual([])
    await sell(sale, 1)
    faults.disarm()
    expect(await numberReceipts(ledger)).toBe(4)
    expect(await expectWithoutGaps()).toHaveLength(4)
  })

  it('[B100] [I37] servers that number at the same time, while others sell and refund, leave no gap', async () => {
    const work: Promise<unknown>[] = []
    for (let round = 0; round < 20; round += 1) {
      const sold = sell(sale, 1)
      work.push(sold.then(({ id }) => (round % 3 === 0 ? refund(id) : undefined)))
      for (let server = 0; server < 3; server += 1) work.push(numberReceipts(ledger))
    }
    await Promise.all(work)
    await numberReceipts(ledger)
    expect(await expectWithoutGaps()).toHaveLength(27)
  })
})

// On one connection no transaction begins before the one before has ended, and there is nothing to guard.
describe('numbering without the guard (postgres)', () => {
  it('[B100 control] without the organization’s lock two batches give the same number, and the database refuses', async () => {
    const database = await postgresDatabase('migrated')
    const ledger = await openLedger({ kind: 'postgres', url: database.url })
    try {
      await sell(await openStanding(ledger, 3), 1)
      const file = new URL('../../../src/payments/receipts/number-receipts.sql', import.meta.url)
      const unguarded = CompiledQuery.raw(await readFile(file, 'utf8'), [HOUSE, 500])
      const number = (db: typeof ledger.db) => db.executeQuery(unguarded)
      const second = await ledger.db.transaction().execute(async (transaction) => {
        expect((await number(transaction)).rows).toHaveLength(1)
        const pending = number(ledger.db).catch((error: unknown) => error)
        await waitUntil('the second waits for the first', async () => {
          const waiting = "datname = current_database() and wait_event_type = 'Lock'"
          const found = await ledger.db.executeQuery(
            CompiledQuery.raw(`select pid from pg_stat_activity where ${waiting}`),
          )
          return found.rows.length > 0
        })
        return { pending }
      })
      expect(await second.pending).toMatchObject({ code: '23505' })
    } finally {
      await ledger.close()
      await database.drop()
    }
  })
})

import { randomUUID } from 'node:crypto'
import {
  editOrganization,
  exportReceipts,
  exportSettlement,
  type Ledger,
  numberReceipts,
  type Purchase,
  type Receipt,
  readReceipts,
  readSettlement,
  type SettledSums,
  type SettlementOf,
  startRefund,
} from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { openSale, type Sale, sell } from '../../reservations/sale-kit.ts'
import { finishRefundsOf } from '../../support/finish-refunds.ts'

const ALWAYS = { from: null, until: null }

forEachLedger('what papers say', (open) => {
  let ledger: Ledger
  let house: string
  beforeAll(async () => {
    ledger = await open()
  })
  beforeEach(async () => {
    house = randomUUID()
    await ledger.db.insertInto('organizations').values({ id: house, name: 'The house' }).execute()
  })

  async function openTaxed(more: { taxRate?: number; perTicket?: number; currency?: string } = {}): Promise<Sale> {
    const { taxRate = 19, perTicket = 150, currency = 'EUR' } = more
    const sale = await openSale(ledger, {
      ...{ name: 'Aurora', taxRate, fees: perTicket === 0 ? [] : [{ name: 'Booking', perTicket }] },
      seatTypes: [{ name: 'Standing', price: 4_500, currency, totalQuantity: 500 }],
    })
    const change = { organization_id: house }
    await ledger.db.updateTable('events').set(change).where('id', '=', sale.event.id).execute()
    return sale
  }

  async function refund(purchaseId: string): Promise<void> {
    await startRefund(ledger, { purchaseId, reason: 'asked' })
    await finishRefundsOf(ledger, purchaseId)
  }

  /** Sends a part of the money back, as far as papers are concerned. */
  async function refundPart({ id }: Purchase, amount: number): Promise<void> {
    await sql`
      with done as (
        insert into refunds (id, purchase_id, number, seat_ids, amount, state, reason, done_at)
        select gen_random_uuid(), ${id}, count(*) + 1, '{}', ${amount}, 'DONE', 'asked', clock_timestamp()
          from refunds
         where purchase_id = ${id}
      )
      update purchases set refunded = refunded + ${amount}, updated_at = clock_timestamp() where id = ${id}`.execute(
      ledger.db,
    )
    await numberReceipts(ledger)
  }

  const sumOf = (lines: Receipt['lines'], key: 'amount' | 'tax') => lines.reduce((sum, line) => sum + line[key], 0)

  it('[B150] a receipt has the lines, tax, buyer and event of its day, whatever is edited later', async () => {
    const sale = await openTaxed()
    const { id, reservationId } = await sell(sale, 2)
    await ledger.db
      .insertInto('addressees')
      .values({ reservation_id: reservationId, email: 'hong@example.com', name: 'Nguyễn Thị Hồng', language: 'vi' })
      .execute()
    await numberReceipts(ledger)
    const [before] = await readReceipts(ledger.db, id)
    expect(before).toMatchObject({
      ...{ kind: 'receipt', amount: 9_300, currency: 'EUR', tax: 1_437 + 48, provider: 'sandbox' },
      lines: [
        { kind: 'seat', name: 'Standing', quantity: 2, unitPrice: 4_500, amount: 9_000, tax: 1_437 },
        { kind: 'fee', name: 'Booking', amount: 300, tax: 48 },
      ],
      buyer: { name: 'Nguyễn Thị Hồng', email: 'hong@example.com', language: 'vi' },
      event: { name: 'Aurora', timeZone: 'UTC' },
    })
    await ledger.db.updateTable('events').set({ name: 'Other', tax_rate: 0 }).where('id', '=', sale.event.id).execute()
    await ledger.db
      .updateTable('addressees')
      .set({ name: 'Other' })
      .where('reservation_id', '=', reservationId)
      .execute()
    await editOrganization(ledger, { id: house, by: randomUUID(), change: { name: 'Other' } })
    expect(await readReceipts(ledger.db, id)).toEqual([before])
  })

  it('[B151] the credit note of a whole refund negates the lines of its receipt', async () => {
    const { id } = await sell(await openTaxed(), 2)
    await refund(id)
    await numberReceipts(ledger)
    const [receipt, note] = await readReceipts(ledger.db, id)
    expect(note).toMatchObject({
      ...{ kind: 'credit_note', amount: 9_300, tax: 1_485 },
      lines: [
        { kind: 'seat', name: 'Standing', quantity: 2, unitPrice: -4_500, amount: -9_000, tax: -1_437 },
        { kind: 'fee', name: 'Booking', amount: -300, tax: -48 },
      ],
    })
    expect(receipt?.tax).toBe(note?.tax)
  })

  it('[B152] parts of an order take their share of its tax, half away from zero, and the last one the rest', async () => {
    const bought = await sell(await openTaxed({ taxRate: 7, perTicket: 0 }), 3) // 13,500 with 883 tax
    await numberReceipts(ledger)
    for (const amount of [4_500, 1, 8_999]) await refundPart(bought, amount)
    const [, ...notes] = await readReceipts(ledger.db, bought.id)
    expect(notes.map(({ amount, tax }) => [amount, tax])).toEqual([
      [4_500, 294],
      [1, 0],
      [8_999, 589],
    ])
    expect(notes[0]?.lines).toEqual([{ kind: 'refund', name: 'Partial refund', amount: -4_500, tax: -294 }])
  })

  it('[B152] however an order goes back, taxes and amounts of its credit notes add up to the receipt’s', async () => {
    const sale = await openTaxed({ taxRate: 95.5, perTicket: 1 })
    const parts = fc.array(fc.integer({ min: 1, max: 4_000 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(parts, async (amounts) => {
        const bought = await sell(sale, 1)
        await numberReceipts(ledger)
        let left = bought.amount
        for (const amount of amounts) {
          if (amount >= left) break
          await refundPart(bought, amount)
          left -= amount
        }
        await refundPart(bought, left)
        const [receipt, ...notes] = await readReceipts(ledger.db, bought.id)
        const sum = (key: 'amount' | 'tax') => notes.reduce((total, note) => total + note[key], 0)
        expect([sum('amount'), sum('tax')]).toEqual([receipt?.amount, receipt?.tax])
        for (const { lines, amount, tax } of notes) {
          expect([amount + sumOf(lines, 'amount'), tax + sumOf(lines, 'tax')]).toEqual([0, 0])
          expect(tax).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns: 8 },
    )
  })

  it('[B155] a seller’s new data is in the trail, and an unknown organization is nothing', async () => {
    const by = randomUUID()
    const change = { address: 'Tràng Tiền 1, Hà Nội', taxNumber: 'VN 0100' }
    expect(await editOrganization(ledger, { id: house, by, change })).toEqual({
      ...{ id: house, name: 'The house', ...change, stripeAccount: null },
    })
    expect(await editOrganization(ledger, { id: randomUUID(), by, change })).toBeNull()
    const actions = await ledger.db.selectFrom('operator_actions').selectAll().where('actor_id', '=', by).execute()
    expect(actions).toMatchObject([
      { kind: 'organization.edited', subject: house, before: { address: '' }, after: change },
    ])
  })

  it('[B156][B157] settlements equal an independent sum over the ledger, for generated orders', async () => {
    const sales = [
      await openTaxed(),
      await openTaxed({ taxRate: 8 }),
      await openTaxed({ currency: 'KRW', perTicket: 7 }),
    ]
    const order = fc.record({
      sale: fc.nat(2),
      seats: fc.integer({ min: 1, max: 3 }),
      fate: fc.constantFrom('kept', 'kept', 'whole', 'part'),
      charge: fc.option(fc.integer({ min: 0, max: 200 })),
    })
    const seed = Math.floor(Math.random() * 2 ** 31)
    console.info(`settlement orders: seed ${seed}`)
    for (const { sale, seats, fate, charge } of fc.sample(order, { numRuns: 25, seed })) {
      const bought = await sell(sales[sale] as Sale, seats)
      if (fate === 'whole') await refund(bought.id)
      if (fate === 'part') await refundPart(bought, 1_000)
      if (charge === null) continue
      const told = { purchase_id: bought.id, amount: charge, currency: 'EUR' }
      await ledger.db.insertInto('provider_charges').values(told).execute()
    }
    await sell(sales[0] as Sale, 1)
    expect((await settle({})).unnumbered).toBeGreaterThan(0)
    await numberReceipts(ledger)
    const whole = await settle({})
    expect(whole.totals).toEqual(await summedByHand(house))
    expect(whole).toMatchObject({ unnumbered: 0, chargesUnknown: 0 })
    for (const parts of [whole.days, whole.events]) expect(added(parts)).toEqual(whole.totals)
    expect(whole.events.map(({ eventId }) => eventId).every((id) => sales.some(({ event }) => event.id === id))).toBe(
      true,
    )
    const apart = []
    for (const { event } of sales) apart.push(...(await settle({ organizationId: null, eventId: event.id })).totals)
    expect(added(apart)).toEqual(whole.totals)
    const rows = []
    for await (const page of exportSettlement(ledger.db, { ...everything(), timeZone: 'Asia/Seoul' }))
      rows.push(...page)
    expect(added(rows as SettledSums[]).map(({ payout }) => payout)).toEqual(whole.totals.map(({ payout }) => payout))
  })

  const everything = (): SettlementOf => ({ organizationId: house, eventId: null, ...ALWAYS, timeZone: 'UTC' })
  const settle = (more: Partial<SettlementOf>) => readSettlement(ledger.db, { ...everything(), ...more })

  /** From purchases, reservations and charges, without any receipt. */
  async function summedByHand(organizationId: string) {
    const { rows } = await sql<Order>`
      select purchases.currency, purchases.captured, purchases.refunded, reservations.tax, lines,
             provider_charges.amount as charged
        from purchases
        join reservations on reservations.id = reservation_id
        join events on events.id = event_id
        left join provider_charges on purchase_id = purchases.id
       where organization_id = ${organizationId} and purchases.paid_at is not null`.execute(ledger.db)
    const sums = new Map<string, Record<string, number>>()
    const add = (currency: string, key: string, amount: number): void => {
      const sum = sums.get(currency) ?? {}
      sums.set(currency, { ...sum, [key]: (sum[key] ?? 0) + amount })
    }
    for (const row of rows) {
      const { currency, captured, refunded, tax, lines, charged } = row
      const fees = lines.filter(({ kind }) => kind === 'fee').reduce((sum, { amount }) => sum + amount, 0)
      add(currency, 'receipts', 1)
      add(currency, 'creditNotes', refunded > 0 ? 1 : 0)
      add(currency, 'gross', captured)
      add(currency, 'fees', fees)
      add(currency, 'tax', tax)
      add(currency, 'refunds', refunded)
      add(currency, 'refundedTax', refunded === captured ? tax : Math.round((refunded * tax) / captured))
      add(currency, 'payout', captured - refunded)
      if (charged === null) continue
      add('EUR', 'charges', charged)
      add('EUR', 'payout', -charged)
    }
    const none = {
      receipts: 0,
      creditNotes: 0,
      gross: 0,
      fees: 0,
      tax: 0,
      refunds: 0,
      refundedTax: 0,
      charges: 0,
      payout: 0,
    }
    return [...sums].map(([currency, sum]) => ({ currency, ...none, ...sum })).sort(byCurrency)
  }

  it('[B158] the bookkeeping export has every paper of a period once, and what went back below 0', async () => {
    const sale = await openTaxed()
    const kept = await sell(sale, 1)
    const returned = await sell(sale, 2)
    await refund(returned.id)
    await numberReceipts(ledger)
    const booked = []
    for await (const page of exportReceipts(ledger.db, house, ALWAYS)) booked.push(...page)
    expect(booked.map(({ date, ...row }) => row)).toEqual([
      { number: 1, kind: 'receipt', event: 'Aurora', net: 3_908, tax: 742, gross: 4_650, currency: 'EUR' },
      { number: 2, kind: 'receipt', event: 'Aurora', net: 7_815, tax: 1_485, gross: 9_300, currency: 'EUR' },
      { number: 3, kind: 'credit_note', event: 'Aurora', net: -7_815, tax: -1_485, gross: -9_300, currency: 'EUR' },
    ])
    expect(kept.amount + returned.amount - 9_300).toBe(booked.reduce((sum, { gross }) => sum + gross, 0))
    const until = booked[0]?.date ?? null
    for await (const page of exportReceipts(ledger.db, house, { from: null, until })) expect(page).toEqual([])
    expect((await settle({ until })).totals).toEqual([])
    expect((await settle({ from: until })).totals).toMatchObject([{ gross: 13_950, refunds: 9_300, payout: 4_650 }])
  })
})

interface Order {
  readonly currency: string
  readonly captured: number
  readonly refunded: number
  readonly tax: number
  readonly lines: readonly { kind: string; amount: number }[]
  readonly charged: number | null
}

const byCurrency = (one: { currency: string }, other: { currency: string }) => (one.currency < other.currency ? -1 : 1)

/** The sums of rows by currency, without what the rows are of. */
function added(rows: readonly SettledSums[]): SettledSums[] {
  const sums = new Map<string, Record<string, number>>()
  for (const { currency, ...row } of rows) {
    const sum = sums.get(currency) ?? {}
    for (const [key, value] of Object.entries(row)) if (typeof value === 'number') sum[key] = (sum[key] ?? 0) + value
    sums.set(currency, sum)
  }
  return [...sums].map(([currency, sum]) => ({ currency, ...sum }) as SettledSums).sort(byCurrency)
}

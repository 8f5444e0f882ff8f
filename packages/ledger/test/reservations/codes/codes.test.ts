import { randomUUID } from 'node:crypto'
import { readCodesDraft } from '@seatwise/domain'
import {
  cancelReservation,
  confirmPayment,
  endCode,
  expireReservations,
  findCode,
  type Ledger,
  listCodes,
  makeCodes,
  startRefund,
} from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import { finishRefundsOf } from '../../support/finish-refunds.ts'
import { adopt, makeAccount } from '../adoption/adoption-kit.ts'
import {
  begin,
  capture,
  claimAll,
  claimOf,
  claimOne,
  countsInOrder,
  hold,
  moveDeadline,
  openSale,
  openStanding,
  type Sale,
  statusOf,
} from '../sale-kit.ts'
import { codeClaim, makeCode, usesOf } from './codes-kit.ts'

const HOUR_MS = 3_600_000

forEachLedger('codes', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  /** Two open types and two hidden ones. */
  const openHall = (more: Parameters<typeof openSale>[1] = {}): Promise<Sale> =>
    openSale(ledger, {
      taxRate: 19,
      fees: [{ name: 'Booking', perTicket: 150 }],
      seatTypes: [
        { name: 'Stalls', price: 4_500, currency: 'EUR', totalQuantity: 20 },
        { name: 'Circle', price: 9_000, totalQuantity: 20 },
        { name: 'Friends', price: 1_000, totalQuantity: 20, hidden: true },
        { name: 'Press', price: 0, totalQuantity: 20, hidden: true },
      ],
      ...more,
    })
  const typeOf = (sale: Sale, index: number) => sale.event.seatTypes[index]?.id ?? ''

  it('[B110] the text of a code is unique in its event, whatever its case, blanks and hyphens', async () => {
    const sale = await openStanding(ledger, 5)
    const id = await makeCode(sale, { code: ' Spring 26 ', percent: 10 })
    const again = { eventId: sale.event.id, by: randomUUID(), newId: randomUUID, newText: randomUUID }
    const draft = readCodesDraft({ code: 'spring-26', amountOff: 5 })
    expect(await makeCodes(ledger, { ...again, draft })).toEqual({ status: 'exists' })
    const foreign = readCodesDraft({ code: 'OTHER', access: true, seatTypeIds: [randomUUID()] })
    expect((await makeCodes(ledger, { ...again, draft: foreign })).status).toBe('unknown_types')
    expect(await findCode(ledger.db, sale.event.id, 'SPRING26')).toMatchObject({ id, code: 'Spring 26', isValid: true })
    const other = await openStanding(ledger, 5)
    expect(await findCode(ledger.db, other.event.id, 'SPRING26')).toBeNull()
    await makeCode(other, { code: 'SPRING26', percent: 10 })
  })

  it('[B121] many codes are made at once, each with a text of its own, and listed page by page', async () => {
    const sale = await openStanding(ledger, 5)
    const texts = ['A1', 'A1', 'B1', 'A1', 'C1']
    const made = await makeCodes(ledger, {
      ...{ eventId: sale.event.id, draft: readCodesDraft({ count: 3, access: true }), by: randomUUID() },
      ...{ newId: randomUUID, newText: () => texts.shift() ?? randomUUID().slice(0, 8) },
    })
    expect(made.status === 'made' ? made.items.map(({ code }) => code).sort() : []).toEqual(['A1', 'B1', 'C1'])
    const first = await listCodes(ledger.db, { eventId: sale.event.id, before: null, limit: 2 })
    const rest = await listCodes(ledger.db, { eventId: sale.event.id, before: first[1]?.id ?? null, limit: 2 })
    expect([...first, ...rest].map(({ code }) => code).sort()).toEqual(['A1', 'B1', 'C1'])
    expect(first[0]).toMatchObject({ access: true, reduction: null, uses: 0, usesMax: null, endedAt: null })
  })

  it('[B111] a code makes one discount line under its own text, and the seats share it', async () => {
    const sale = await openHall()
    await makeCode(sale, { code: 'Spring', percent: 10, seatTypeIds: [typeOf(sale, 0)] })
    const reply = await claimOne(sale, codeClaim(sale, 2, 'SPRING'))
    expect(reply).toMatchObject({
      status: 'held',
      reservation: {
        lines: [
          { kind: 'seat', name: 'Stalls', quantity: 2, unitPrice: 4_500, amount: 9_000, tax: 1_437 },
          { kind: 'discount', name: 'Spring', amount: -900, tax: -144 },
          { kind: 'fee', name: 'Booking', amount: 300, tax: 48 },
        ],
        ...{ amount: 8_400, tax: 1_341, items: [{ paid: 4_200 }, { paid: 4_200 }] },
      },
    })
    const wide = { wish: { seatTypeId: typeOf(sale, 1), quantity: 1 } }
    expect(await claimOne(sale, codeClaim(sale, 1, 'SPRING', wide))).toEqual({ status: 'code_not_applicable' })
  })

  it('[B115, B120] unknown, ended, early and late codes are unknown; a refused claim takes nothing', async () => {
    const sale = await openStanding(ledger, 5)
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    await makeCode(sale, { code: 'EARLY', percent: 5, validFrom: at(HOUR_MS) })
    await makeCode(sale, { code: 'LATE', percent: 5, validFrom: at(-2 * HOUR_MS), validUntil: at(-HOUR_MS) })
    const ended = await makeCode(sale, { code: 'ENDED', percent: 5 })
    const by = randomUUID()
    const before = await hold(sale, 1, { code: 'ENDED' })
    expect(await endCode(ledger, { eventId: sale.event.id, codeId: ended, by })).toBe(true)
    expect(await endCode(ledger, { eventId: sale.event.id, codeId: ended, by })).toBe(true)
    expect(await endCode(ledger, { eventId: sale.event.id, codeId: randomUUID(), by })).toBe(false)
    for (const code of ['NONE', 'EARLY', 'LATE', 'ENDED']) {
      expect(await claimOne(sale, codeClaim(sale, 1, code)), code).toEqual({ status: 'unknown_code' })
    }
    expect(await countsInOrder(sale)).toMatchObject({ available: 4, held: 1 })
    // What was reserved with it is paid for as ever.
    expect((await capture(sale, await begin(sale, before))).status).toBe('paid')
  })

  it('[B112, B113] a use is a reservation; it comes back once, however the reservation ends', async () => {
    const sale = await openStanding(ledger, 40)
    const id = await makeCode(sale, { code: 'TWO', percent: 50, usesMax: 2 })
    const buyerId = randomUUID()
    const [first, second] = [await hold(sale, 3, { buyerId, code: 'TWO' }), await hold(sale, 1, { code: 'TWO' })]
    expect(await claimOne(sale, codeClaim(sale, 1, 'TWO'))).toEqual({ status: 'code_used_up' })
    await cancelReservation(ledger, { reservationId: first, buyerId })
    await cancelReservation(ledger, { reservationId: first, buyerId })
    expect(await usesOf(sale, id)).toBe(1)
    const third = await hold(sale, 1, { code: 'TWO' })
    // A claim ends overdue holds on its way, and counts without them.
    await moveDeadline(sale, second, -1_000)
    const fourth = await hold(sale, 1, { code: 'TWO' })
    expect([await usesOf(sale, id), await statusOf(sale, second)]).toEqual([2, 'EXPIRED'])
    await moveDeadline(sale, fourth, -1_000)
    await expireReservations(ledger, sale.event.id)
    expect(await usesOf(sale, id)).toBe(1)
    const purchase = await begin(sale, third)
    await capture(sale, purchase)
    expect(await usesOf(sale, id)).toBe(1)
    await startRefund(ledger, { purchaseId: purchase.id, reason: 'asked for' })
    expect(await usesOf(sale, id)).toBe(1)
    await finishRefundsOf(ledger, purchase.id)
    expect(await usesOf(sale, id)).toBe(0)
  })

  it('[B113] replacing a reservation with the same code needs no second use, also within one batch', async () => {
    const sale = await openStanding(ledger, 10)
    const id = await makeCode(sale, { code: 'ONCE', amountOff: 100, usesMax: 1, perBuyerMax: 1 })
    const ticket = { ticketNumber: 930_001, fence: 5, buyerId: randomUUID() }
    const batch = [1, 2, 1].map((quantity) => codeClaim(sale, quantity, 'ONCE', ticket))
    const replies = await claimAll(sale, [...batch, codeClaim(sale, 1, 'ONCE')])
    expect(replies.map(({ status }) => status)).toEqual(['held', 'held', 'held', 'code_used_up'])
    expect((await claimOne(sale, codeClaim(sale, 2, 'ONCE', ticket))).status).toBe('held')
    expect(await usesOf(sale, id)).toBe(1)
    // Without the code its use is free for others, in the same batch already.
    const [without, another] = await claimAll(sale, [claimOf(sale, 1, ticket), codeClaim(sale, 1, 'ONCE')])
    expect([without?.status, another?.status]).toEqual(['held', 'held'])
    expect(await usesOf(sale, id)).toBe(1)
  })

  it('[B114] the limit of a buyer counts what the account has adopted, and adoption cancels nothing for it', async () => {
    const sale = await openStanding(ledger, 20)
    await makeCode(sale, { code: 'TWICE', percent: 10, perBuyerMax: 2 })
    const [guest, other, account] = [randomUUID(), randomUUID(), await makeAccount(ledger)]
    const own = await hold(sale, 1, { buyerId: account.id, code: 'TWICE' })
    const adopted = [
      await hold(sale, 1, { buyerId: guest, code: 'TWICE' }),
      await hold(sale, 1, { buyerId: other, code: 'TWICE' }),
    ]
    expect((await claimOne(sale, codeClaim(sale, 1, 'TWICE', { buyerId: guest }))).status).toBe('held')
    expect(await claimOne(sale, codeClaim(sale, 1, 'TWICE', { buyerId: guest }))).toEqual({ status: 'code_used_up' })
    expect(await adopt(ledger, other, account)).toMatchObject({ status: 'adopted', canceled: [] })
    for (const buyerId of [account.id, other]) {
      // A late claim of the guest is the account's.
      expect(await claimOne(sale, codeClaim(sale, 1, 'TWICE', { buyerId }))).toEqual({ status: 'code_used_up' })
    }
    expect(await adopt(ledger, guest, account)).toMatchObject({ status: 'adopted', canceled: [] })
    for (const id of [own, ...adopted]) expect(await statusOf(sale, id)).toBe('PENDING_PAYMENT')
    expect((await claimOne(sale, codeClaim(sale, 1, 'TWICE'))).status).toBe('held')
  })

  it('[B112] late money for a reservation goes back when its code was used by another buyer meanwhile', async () => {
    const sale = await openStanding(ledger, 10)
    const id = await makeCode(sale, { code: 'LAST', percent: 10, usesMax: 1 })
    const late = await hold(sale, 1, { code: 'LAST' })
    const purchase = await begin(sale, late)
    await moveDeadline(sale, late, -1_000)
    await hold(sale, 1, { code: 'LAST' })
    const captured = { purchaseId: purchase.id, captured: purchase.amount, providerRef: null, seatsPerBuyerMax: 6 }
    expect(await confirmPayment(ledger, captured)).toMatchObject({ status: 'refund' })
    expect(await usesOf(sale, id)).toBe(1)
  })

  it('[B116] seats of a hidden type are not found without an access code that opens them', async () => {
    const sale = await openHall()
    const ofType = (index: number) => ({ wish: { seatTypeId: typeOf(sale, index), quantity: 1 } })
    const byId = (index: number) => {
      const seat = sale.seats.findLast(({ seatTypeId }) => seatTypeId === typeOf(sale, index))
      return { wish: { seatIds: [seat?.id ?? ''] } }
    }
    await makeCode(sale, { code: 'CHEAP', percent: 50 })
    await makeCode(sale, { code: 'PRESS', access: true, seatTypeIds: [typeOf(sale, 3)] })
    await makeCode(sale, { code: 'ALL', access: true, percent: 10 })
    for (const wish of [ofType(2), byId(2)]) {
      expect((await claimOne(sale, claimOf(sale, 1, wish))).status).toBe('unknown_seat')
      for (const code of ['CHEAP', 'PRESS']) {
        expect((await claimOne(sale, codeClaim(sale, 1, code, wish))).status, code).toBe('unknown_seat')
      }
      expect((await claimOne(sale, codeClaim(sale, 1, 'ALL', wish))).status).toBe('held')
    }
    // Also when they are gone: a hidden seat does not say what became of it.
    expect((await claimOne(sale, claimOf(sale, 1, byId(2)))).status).toBe('unknown_seat')
    expect((await claimOne(sale, codeClaim(sale, 1, 'PRESS', ofType(3)))).status).toBe('held')
    expect(await claimOne(sale, codeClaim(sale, 1, 'PRESS', ofType(0)))).toEqual({ status: 'code_not_applicable' })
  })

  it('[B117] the same key gets the same answer also after the code has ended', async () => {
    const sale = await openStanding(ledger, 5)
    const codeId = await makeCode(sale, { code: 'GONE', percent: 10, usesMax: 1 })
    const claim = codeClaim(sale, 1, 'GONE')
    const reply = await claimOne(sale, claim)
    await endCode(ledger, { eventId: sale.event.id, codeId, by: randomUUID() })
    const again = await claimOne(sale, { ...claim, reservationId: randomUUID() })
    expect(again).toEqual({ status: 'repeated', reservation: 'reservation' in reply ? reply.reservation : null })
  })

  it('[B118] claims without a code stay plain beside one that has a code', async () => {
    const sale = await openSale(ledger, {
      seatTypes: [{ name: 'Stalls', price: 900, currency: 'EUR', rows: [{ label: 'A', seats: 6 }] }],
    })
    await makeCode(sale, { code: 'HALF', percent: 50 })
    const wish = (index: number) => ({ seatIds: [sale.seats[index]?.id ?? ''] })
    const claims = [
      claimOf(sale, wish(0)),
      claimOf(sale, wish(1), { code: 'HALF' }),
      claimOf(sale, wish(2), { code: 'NO' }),
    ]
    expect(await claimAll(sale, [...claims, claimOf(sale, wish(3))])).toMatchObject([
      { status: 'held', reservation: { amount: 900 } },
      { status: 'held', reservation: { amount: 450 } },
      { status: 'unknown_code' },
      { status: 'held', reservation: { amount: 900 } },
    ])
    expect(await countsInOrder(sale)).toMatchObject({ available: 3, held: 3 })
  })

  it('[B123] before the sale only claims with an access code are granted', async () => {
    const rows = [{ label: 'A', seats: 6 }]
    const sale = await openSale(ledger, {
      seatTypes: [{ name: 'Stalls', price: 900, currency: 'EUR', rows }],
      presaleStartAt: new Date(Date.now() - HOUR_MS).toISOString(),
    })
    await makeCode(sale, { code: 'FAN', access: true })
    await makeCode(sale, { code: 'CHEAP', percent: 10 })
    const wish = { seatIds: [sale.seats[0]?.id ?? ''] }
    for (const more of [{}, { code: 'CHEAP' }]) {
      expect(await claimOne(sale, claimOf(sale, wish, more))).toEqual({ status: 'not_started' })
    }
    expect((await claimOne(sale, claimOf(sale, wish, { code: 'FAN' }))).status).toBe('held')
    const times = { sales_start_at: new Date(Date.now() - 1_000) }
    await ledger.db.updateTable('events').set(times).where('id', '=', sale.event.id).execute()
    const next = { seatIds: [sale.seats[1]?.id ?? ''] }
    expect((await claimOne(sale, claimOf(sale, next))).status).toBe('held')
  })
})

import { randomUUID } from 'node:crypto'
import {
  acceptOffer,
  askForReturns,
  cancelReservation,
  confirmReturnRequest,
  expireReservations,
  forgetUnconfirmed,
  type Ledger,
  leaveReturnsList,
  offerReturns,
  type Purchase,
  readReservation,
  startRefund,
} from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { takeSeats } from '../../events/events-kit.ts'
import { finishRefundsOf } from '../../support/finish-refunds.ts'
import {
  begin,
  capture,
  claimOf,
  claimOne,
  countsInOrder,
  hold,
  liveItems,
  moveDeadline,
  newsAbout,
  openSale,
  openStalls,
  openStanding,
  type Sale,
  sell,
} from '../sale-kit.ts'

forEachLedger('returns list', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  const ask = (sale: Sale, name: string, more: { quantity?: number; seatTypeId?: string } = {}) => {
    const email = { email: `${name}@example.com`, emailKey: `${name}@example.com`, language: null }
    const wish = { seatTypeId: more.seatTypeId ?? null, quantity: more.quantity ?? 1 }
    return askForReturns(ledger, { requestId: randomUUID(), eventId: sale.event.id, ...email, ...wish })
  }
  const requestOf = async (sale: Sale, name: string) =>
    await ledger.db
      .selectFrom('return_requests')
      .select(['id', 'status', 'quantity'])
      .where('event_id', '=', sale.event.id)
      .where('email', '=', `${name}@example.com`)
      .orderBy('asked_at', 'desc')
      .executeTakeFirstOrThrow()
  const confirm = async (sale: Sale, name: string) =>
    await confirmReturnRequest(ledger.db, (await requestOf(sale, name)).id)
  const wait = async (sale: Sale, name: string, more?: { quantity?: number; seatTypeId?: string }) => {
    expect(await ask(sale, name, more)).toEqual({ status: 'asked' })
    await confirm(sale, name)
  }
  const giveBack = async (purchase: Purchase) => {
    await startRefund(ledger, { purchaseId: purchase.id, reason: 'asked for' })
    await finishRefundsOf(ledger, purchase.id)
  }
  const offer = async (sale: Sale, ahead = 0) => await offerReturns(ledger, sale.event.id, { ahead })
  const offersOf = async (sale: Sale, name: string) =>
    await ledger.db
      .selectFrom('offers')
      .selectAll()
      .where('request_id', '=', (await requestOf(sale, name)).id)
      .execute()
  const offerTo = async (sale: Sale, name: string) => {
    const [made] = await offersOf(sale, name)
    if (made === undefined) throw new Error(`Nothing was offered to ${name}`)
    return made
  }

  it('[B185] an entry needs a sold-out event, a seat type of it and a quantity within the limit', async () => {
    const sale = await openStanding(ledger, 2)
    expect(await ask(sale, 'ada')).toEqual({ status: 'not_sold_out' })
    await sell(sale, 1)
    const held = await hold(sale, 1)
    expect(await ask(sale, 'ada')).toEqual({ status: 'not_sold_out' })
    await capture(sale, await begin(sale, held))
    expect(await ask(sale, 'ada', { quantity: 7 })).toEqual({ status: 'too_many', quantityMax: 6 })
    expect(await ask(sale, 'ada', { seatTypeId: randomUUID() })).toEqual({ status: 'unknown_type' })
    expect(await ask(sale, 'ada')).toEqual({ status: 'asked' })
    const elsewhere = { ...sale, event: { ...sale.event, id: randomUUID() } }
    expect(await ask(elsewhere, 'ada')).toEqual({ status: 'unknown' })
  })

  it('[B185] one entry for an address; only an unconfirmed one is told again and changed', async () => {
    const sale = await openStanding(ledger, 1)
    await sell(sale, 1)
    await ask(sale, 'ada')
    await ask(sale, 'ada', { quantity: 3 })
    const { id, status, quantity } = await requestOf(sale, 'ada')
    expect([status, quantity]).toEqual(['unconfirmed', 3])
    expect(await newsAbout(sale, id)).toEqual(['return.asked', 'return.asked'])
    expect(await confirm(sale, 'ada')).toMatchObject({ status: 'waiting' })
    expect(await ask(sale, 'ada', { quantity: 1 })).toEqual({ status: 'asked' })
    expect(await requestOf(sale, 'ada')).toEqual({ id, status: 'waiting', quantity: 3 })
    expect(await newsAbout(sale, id)).toHaveLength(2)
    expect(await leaveReturnsList(ledger.db, id)).toMatchObject({ status: 'left' })
    expect(await confirm(sale, 'ada')).toMatchObject({ status: 'left' })
    await wait(sale, 'ada')
    expect((await requestOf(sale, 'ada')).id).not.toBe(id)
  })

  it('[B185] addresses that are not confirmed are offered nothing, and forgotten', async () => {
    const sale = await openStanding(ledger, 1)
    const purchase = await sell(sale, 1)
    await ask(sale, 'ada')
    await giveBack(purchase)
    expect(await offer(sale)).toMatchObject({ offers: 0, counts: { available: 1 } })
    await sql`update return_requests set asked_at = now() - interval '3 days' where event_id = ${sale.event.id}`.execute(
      ledger.db,
    )
    await forgetUnconfirmed(ledger.db, 48)
    await expect(requestOf(sale, 'ada')).rejects.toThrow()
  })

  it('[B186] seats go out in the order of asking, whole wishes only, after the visitors ahead', async () => {
    const sale = await openStanding(ledger, 5)
    const purchases = [await sell(sale, 2), await sell(sale, 2), await sell(sale, 1)]
    await wait(sale, 'ada', { quantity: 3 })
    await wait(sale, 'bob')
    await wait(sale, 'cyd')
    for (const purchase of purchases.slice(0, 1)) await giveBack(purchase)
    // One visitor stands in the line: one of two seats is left, which is too few for the first.
    expect(await offer(sale, 1)).toMatchObject({ offers: 1, counts: { available: 1, held: 1 }, offered: 1 })
    expect(await offersOf(sale, 'ada')).toEqual([])
    expect((await requestOf(sale, 'bob')).status).toBe('offered')
    expect(await offer(sale, 1)).toMatchObject({ offers: 0 })
    for (const purchase of purchases.slice(1)) await giveBack(purchase)
    expect(await offer(sale, 0)).toMatchObject({ offers: 2, counts: { available: 0, held: 5 } })
    expect((await readReservation(ledger.db, (await offerTo(sale, 'ada')).id))?.items).toHaveLength(3)
    await countsInOrder(sale)
  })

  it('[B186] seats are side by side where a row has them, of the type that was asked for', async () => {
    const seatTypes = [
      { name: 'Standing', price: 1000, currency: 'EUR', totalQuantity: 2 },
      { name: 'Stalls', price: 9000, currency: 'EUR', rows: [{ label: 'A', seats: 5, accessible: [5] }] },
    ]
    const sale = await openSale(ledger, { seatTypes })
    const [, stalls] = sale.event.seatTypes
    const numbered = sale.seats.filter(({ seatTypeId }) => seatTypeId === stalls?.id).map(({ id }) => id)
    await sell(sale, 2)
    const bought: Purchase[] = []
    for (const id of numbered) bought.push(await sell(sale, { seatIds: [id] }))
    await wait(sale, 'ada', { quantity: 2, seatTypeId: stalls?.id ?? '' })
    for (const index of [0, 2, 3, 4]) await giveBack(bought[index] as Purchase)
    await offer(sale)
    const made = await readReservation(ledger.db, (await offerTo(sale, 'ada')).id)
    expect(made?.items.map(({ number }) => number)).toEqual([3, 4])
    expect(made).toMatchObject({ amount: 18_000, status: 'PENDING_PAYMENT' })
    await wait(await soldOut(sale, numbered), 'bob', { seatTypeId: stalls?.id ?? '' })
  })
  /** Takes what is free, so that the event is sold out again. */
  const soldOut = async (sale: Sale, seatIds: readonly string[]): Promise<Sale> => {
    for (const index of [0, 4]) await sell(sale, { seatIds: [seatIds[index] ?? ''] })
    return sale
  }

  it('[B187] an offer lasts as long as the organiser said, runs out, and goes to the next', async () => {
    const sale = await openStanding(ledger, 1)
    const after = JSON.stringify({ returnsOfferMinutes: 30 })
    await ledger.db.updateTable('events').set({ after }).where('id', '=', sale.event.id).execute()
    const purchase = await sell(sale, 1)
    await wait(sale, 'ada')
    await wait(sale, 'bob')
    await giveBack(purchase)
    await offer(sale)
    const toAda = await offerTo(sale, 'ada')
    expect(toAda.expires_at.getTime() - toAda.made_at.getTime()).toBe(30 * 60_000)
    expect(await newsAbout(sale, toAda.id)).toEqual(['reservation.created', 'offer.made'])
    expect(await claimOne(sale, claimOf(sale, 1))).toMatchObject({ status: 'not_enough', available: 0 })
    await moveDeadline(sale, toAda.id, -1)
    expect(await acceptOffer(ledger, { offerId: toAda.id, actorId: null })).toMatchObject({ status: 'over' })
    expect(await expireReservations(ledger, sale.event.id)).toMatchObject({ offered: 0, counts: { available: 1 } })
    await offer(sale)
    expect((await requestOf(sale, 'ada')).status).toBe('lapsed')
    expect(await offersOf(sale, 'bob')).toHaveLength(1)
    // Given back before its time: there is no next, and the seat is free for all.
    const toBob = await offerTo(sale, 'bob')
    await cancelReservation(ledger, { reservationId: toBob.id, buyerId: null })
    expect(await offer(sale)).toMatchObject({ offers: 0, counts: { available: 1, held: 0 }, offered: 0 })
    expect((await requestOf(sale, 'bob')).status).toBe('lapsed')
  })

  it('[B187] ten servers offer at once: every seat is offered once, to the first of the list', async () => {
    const sale = await openStalls(ledger, 1, 4)
    const purchases: Purchase[] = []
    for (const { id } of sale.seats) purchases.push(await sell(sale, { seatIds: [id] }))
    for (let index = 0; index < 8; index += 1) await wait(sale, `visitor${index}`)
    for (const purchase of purchases) await giveBack(purchase)
    const made = await Promise.all(Array.from({ length: 10 }, () => offer(sale)))
    expect(made.reduce((sum, one) => sum + (one?.offers ?? 0), 0)).toBe(4)
    const items = await liveItems(sale)
    expect(new Set(items.map(({ seat_id }) => seat_id)).size).toBe(4)
    expect(items).toHaveLength(4)
    for (let index = 0; index < 8; index += 1) {
      expect((await requestOf(sale, `visitor${index}`)).status).toBe(index < 4 ? 'offered' : 'waiting')
    }
    await countsInOrder(sale)
  })

  it('[B187 control] reading the free seats before the lock offers them twice', async () => {
    const sale = await openStalls(ledger, 1, 2)
    const purchases: Purchase[] = []
    for (const { id } of sale.seats) purchases.push(await sell(sale, { seatIds: [id] }))
    for (const purchase of purchases) await giveBack(purchase)
    const looked = await Promise.all([readFree(sale), readFree(sale)])
    for (const free of looked) {
      const ids = free.map(({ id }) => id)
      await takeSeats(ledger, sale.event, ids, 'held')
    }
    const items = await liveItems(sale)
    expect(new Set(items.map(({ seat_id }) => seat_id)).size).toBeLessThan(items.length)
  })
  const readFree = async (sale: Sale) =>
    await ledger.db
      .selectFrom('seats')
      .select('id')
      .where('event_id', '=', sale.event.id)
      .where('status', '=', 'available')
      .execute()

  it('[B188] offered and accepted seats do not end sold out; the returns list still takes entries', async () => {
    const sale = await openStanding(ledger, 1)
    const purchase = await sell(sale, 1)
    await wait(sale, 'ada')
    await giveBack(purchase)
    expect(await offer(sale)).toMatchObject({ counts: { available: 0, held: 1 }, offered: 1 })
    expect(await ask(sale, 'bob')).toEqual({ status: 'asked' })
    const { id } = await offerTo(sale, 'ada')
    expect(await acceptOffer(ledger, { offerId: id, actorId: null })).toMatchObject({ status: 'accepted', offered: 1 })
    expect(await ask(sale, 'cyd')).toEqual({ status: 'asked' })
    expect(await capture(sale, await begin(sale, id))).toMatchObject({ status: 'paid', offered: 0 })
    await offer(sale)
    expect((await requestOf(sale, 'ada')).status).toBe('served')
  })

  it('[B189] accepting gives the usual time to pay, to the one who accepts, within their limit', async () => {
    const sale = await openStanding(ledger, 8)
    const purchases = [await sell(sale, 2), await sell(sale, 6, { buyerId: randomUUID() })]
    const [mine, theirs] = purchases as [Purchase, Purchase]
    await wait(sale, 'ada', { quantity: 2 })
    await giveBack(mine)
    await offer(sale)
    const { id } = await offerTo(sale, 'ada')
    const { buyerId } = theirs
    expect(await acceptOffer(ledger, { offerId: id, actorId: buyerId })).toMatchObject({
      status: 'limit_reached',
      left: 0,
    })
    await moveDeadline(sale, id, 5_000)
    const actorId = randomUUID()
    const outcome = await acceptOffer(ledger, { offerId: id, actorId })
    expect(outcome).toMatchObject({ status: 'accepted', reservation: { buyerId: actorId } })
    const reservation = await readReservation(ledger.db, id)
    expect((reservation?.expiresAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(250_000)
    expect(await acceptOffer(ledger, { offerId: id, actorId })).toMatchObject({
      status: 'repeated',
      reservation: { id },
    })
    expect(await acceptOffer(ledger, { offerId: id, actorId: null })).toMatchObject({ status: 'over' })
    expect(await acceptOffer(ledger, { offerId: randomUUID(), actorId })).toEqual({ status: 'unknown' })
    await countsInOrder(sale)
  })
})

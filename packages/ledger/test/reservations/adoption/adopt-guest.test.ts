import { randomUUID } from 'node:crypto'
import {
  cancelReservation,
  declinePayment,
  endGuest,
  type Ledger,
  readEticketsOfHolder,
  readOperation,
  readReservation,
  readReservationsOf,
  startPayment,
  storeAnswer,
} from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import { buySeats } from '../../etickets/paid-kit.ts'
import {
  begin,
  capture,
  claimAll,
  claimOf,
  claimOne,
  countsInOrder,
  hold,
  newsAbout,
  openStalls,
  openStanding,
  seatId,
  sell,
  statusOf,
} from '../sale-kit.ts'
import {
  type Account,
  adopt,
  belongingsOf,
  expectNothingLeft,
  makeAccount,
  NOTHING,
  seatsOwned,
} from './adoption-kit.ts'

forEachLedger('adopting a guest', (open) => {
  let ledger: Ledger
  let account: Account
  beforeAll(async () => {
    ledger = await open()
    account = await makeAccount(ledger)
  })
  const newAccount = () => makeAccount(ledger)

  it('[A45][I31] everything a guest owns is the account’s: pending, paid, ended, e-tickets, purchases and answers', async () => {
    const user = await newAccount()
    const { buyerId: guest, reservationId: paid, etickets } = await buySeats(ledger, 2)
    const sale = await openStanding(ledger, 9)
    const given = await hold(sale, 1, { buyerId: guest })
    await cancelReservation(ledger, { reservationId: given, buyerId: guest })
    await storeAnswer(ledger, { actorId: guest, key: 'give back', fingerprint: '' }, { statusCode: 200, body: {} })
    const claim = claimOf(sale, 1, { buyerId: guest })
    await claimOne(sale, claim)
    const before = await belongingsOf(ledger, guest)
    expect(before).toEqual({ reservations: 3, operations: 5, purchases: 1, etickets: 2 })

    expect(await adopt(ledger, guest, user)).toMatchObject({ status: 'adopted', canceled: [], changes: [] })
    await expectNothingLeft(ledger, guest)
    expect(await belongingsOf(ledger, user.id)).toEqual(before)
    const ids = (await readReservationsOf(ledger.db, user.id, 10)).map(({ id }) => id)
    expect(ids.sort()).toEqual([paid, given, claim.reservationId].sort())
    const owned = await readEticketsOfHolder(ledger.db, user.id, 10)
    expect(owned.map(({ id }) => id).sort()).toEqual(etickets.map(({ id }) => id).sort())
    // The stored answers answer the account, and pending seats can be paid by it.
    const operation = await readOperation(ledger.db, user.id, claim.operation.key)
    expect(operation?.answer?.body).toMatchObject({ id: claim.reservationId })
    expect((await capture(sale, await begin(sale, claim.reservationId))).status).toBe('paid')
  })

  it('[A46] adopting again answers the same; another account gets nothing', async () => {
    const [user, other] = [await newAccount(), await newAccount()]
    const sale = await openStanding(ledger, 20)
    const guest = randomUUID()
    await hold(sale, 6, { buyerId: user.id })
    const tooMany = await hold(sale, 1, { buyerId: guest })
    expect(await adopt(ledger, guest, user)).toMatchObject({ status: 'adopted', canceled: [tooMany] })
    expect(await adopt(ledger, guest, user)).toMatchObject({ status: 'repeated', canceled: [tooMany], changes: [] })
    expect(await adopt(ledger, guest, other)).toMatchObject({ status: 'other', canceled: [], changes: [] })
    expect(await belongingsOf(ledger, other.id)).toEqual(NOTHING)
  })

  it('[A46] of sign-ins to two accounts at once one gets all, the other nothing', async () => {
    const users = [await newAccount(), await newAccount()]
    const { buyerId: guest } = await buySeats(ledger, 1)
    const replies = await Promise.all(users.map((user) => adopt(ledger, guest, user)))
    expect(replies.map(({ status }) => status).sort()).toEqual(['adopted', 'other'])
    const owned = await Promise.all(users.map(async ({ id }) => (await belongingsOf(ledger, id)).reservations))
    expect(owned.sort()).toEqual([0, 1])
    await expectNothingLeft(ledger, guest)
  })

  it('[B50][I29] a pending reservation over the limit is cancelled and its seats return; what is paid moves', async () => {
    const user = await newAccount()
    const sale = await openStanding(ledger, 30)
    const guest = randomUUID()
    await sell(sale, 4, { buyerId: user.id })
    await sell(sale, 3, { buyerId: guest })
    const kept = await hold(await openStanding(ledger, 6), 6, { buyerId: guest })
    const pending = await hold(sale, 1, { buyerId: guest })
    const adopted = await adopt(ledger, guest, user)
    expect(adopted.canceled).toEqual([pending])
    expect(adopted.changes).toMatchObject([
      { eventId: sale.event.id, ended: [{ reservationId: pending, buyerId: user.id }] },
    ])
    expect(await statusOf(sale, pending)).toBe('CANCELED')
    expect(await statusOf(sale, kept)).toBe('PENDING_PAYMENT')
    expect(await countsInOrder(sale)).toEqual({ available: 23, held: 0, sold: 7, blocked: 0 })
    expect(adopted.changes[0]?.change.counts.available).toBe(23)
    expect(await newsAbout(sale, pending)).toEqual(['reservation.created', 'reservation.canceled'])
    expect(await seatsOwned(ledger, sale.event.id, user.id)).toEqual({ pending: 0, paid: 7 })
    await expectNothingLeft(ledger, guest)
  })

  it('[B50][I29] reserving as a guest, signing in, paying, again and again, ends at the limit', async () => {
    const user = await newAccount()
    const sale = await openStalls(ledger, 4, 10)
    for (let turn = 0; turn < 4; turn += 1) {
      const guest = randomUUID()
      const wish = { seatIds: [seatId(sale, 2 * turn), seatId(sale, 2 * turn + 1)] }
      const reservationId = await hold(sale, wish, { buyerId: guest, seatsPerBuyerMax: 6 })
      await adopt(ledger, guest, user)
      if ((await statusOf(sale, reservationId)) === 'PENDING_PAYMENT')
        await capture(sale, await begin(sale, reservationId))
    }
    expect(await seatsOwned(ledger, sale.event.id, user.id)).toEqual({ pending: 0, paid: 6 })
    // What was adopted counts against what the account asks for next.
    const reply = await claimOne(sale, claimOf(sale, { seatIds: [seatId(sale, 20)] }, { buyerId: user.id }))
    expect(reply).toEqual({ status: 'limit_reached', left: 0 })
  })

  it('[A45][B50] what a guest claims after the adoption is the account’s, and counts against its limit', async () => {
    const user = await newAccount()
    const sale = await openStalls(ledger, 2, 10)
    const guest = randomUUID()
    await adopt(ledger, guest, user)
    const plain = claimOf(sale, { seatIds: [0, 1, 2, 3].map((index) => seatId(sale, index)) }, { buyerId: guest })
    const tooMany = claimOf(sale, { seatIds: [4, 5, 6].map((index) => seatId(sale, index)) }, { buyerId: user.id })
    const stranger = claimOf(sale, { seatIds: [seatId(sale, 7)] })
    const replies = await claimAll(sale, [plain, tooMany, stranger])
    expect(replies.map(({ status }) => status)).toContain('limit_reached')
    expect(replies[2]?.status).toBe('held')
    await expectNothingLeft(ledger, guest)
    const { pending } = await seatsOwned(ledger, sale.event.id, user.id)
    expect([3, 4]).toContain(pending)
    // The same key is answered to both as before.
    const again = await claimOne(sale, plain)
    expect(again.status).toBe(replies[0]?.status === 'held' ? 'repeated' : 'limit_reached')
  })

  it('[A45] a payment that began as the guest’s ends as the account’s', async () => {
    const user = await newAccount()
    const sale = await openStanding(ledger, 5)
    const guest = randomUUID()
    const purchase = await begin(sale, await hold(sale, 1, { buyerId: guest }))
    const late = await hold(sale, 1, { buyerId: guest })
    await adopt(ledger, guest, user)
    const stored = { statusCode: 201, body: { id: purchase.id } }
    const outcome = await capture(sale, purchase)
    expect(outcome).toMatchObject({ status: 'paid', purchase: { actorId: user.id, buyerId: user.id } })
    // A request of the guest that was on its way finds what it wants to pay.
    const operation = { actorId: guest, key: randomUUID(), fingerprint: 'pay' }
    const started = await startPayment(ledger, {
      ...{ purchaseId: randomUUID(), reservationId: late, buyerId: guest, provider: 'sandbox', operation },
      ...{ paySeconds: 0, holdSecondsMax: 900 },
    })
    expect(started).toMatchObject({ status: 'started', purchase: { actorId: user.id } })
    await storeAnswer(ledger, { ...operation, key: 'as the guest' }, stored)
    expect(await readOperation(ledger.db, user.id, 'as the guest')).toMatchObject({ answer: stored })
    await expectNothingLeft(ledger, guest)
  })

  it('[B50] a payment under way is not cut off by the limit', async () => {
    const user = await newAccount()
    const sale = await openStanding(ledger, 12)
    const guest = randomUUID()
    await hold(sale, 6, { buyerId: user.id })
    const purchase = await begin(sale, await hold(sale, 2, { buyerId: guest }))
    expect(await adopt(ledger, guest, user)).toMatchObject({ canceled: [] })
    expect((await capture(sale, purchase)).status).toBe('paid')
  })

  it('[B52][I29] when a payment under way fails, only what was adopted beyond the limit is canceled', async () => {
    const user = await newAccount()
    const sale = await openStanding(ledger, 12)
    const guest = randomUUID()
    const own = await hold(sale, 5, { buyerId: user.id })
    const [beyond, within] = [await openStanding(ledger, 2), await openStanding(ledger, 2)]
    const purchases = [
      await begin(sale, await hold(sale, 2, { buyerId: guest })),
      await begin(within, await hold(within, 2, { buyerId: guest })),
      await begin(beyond, await hold(beyond, 2)),
    ]
    await adopt(ledger, guest, user)
    for (const { id } of purchases) await declinePayment(ledger, { purchaseId: id, reason: 'no money' })
    const statuses = purchases.map(async ({ reservationId }) => await statusOf(sale, reservationId))
    expect(await Promise.all(statuses)).toEqual(['CANCELED', 'PENDING_PAYMENT', 'PENDING_PAYMENT'])
    expect(await statusOf(sale, own)).toBe('PENDING_PAYMENT')
    expect(await countsInOrder(sale)).toMatchObject({ available: 7, held: 5 })
  })

  it('[A47] a key that guest and account both used gives each request the same answer as before', async () => {
    const user = await newAccount()
    const sale = await openStanding(ledger, 9)
    const guest = randomUUID()
    const key = randomUUID()
    const claimUnderKey = async (buyerId: string, fingerprint: string) => {
      const claim = claimOf(sale, 1, { buyerId, operation: { actorId: buyerId, key, fingerprint } })
      return { claim, reply: await claimOne(sale, claim) }
    }
    const own = await claimUnderKey(user.id, 'own')
    const guests = await claimUnderKey(guest, 'guest')
    const purchase = await begin(sale, guests.claim.reservationId)
    await adopt(ledger, guest, user)
    expect((await readReservation(ledger.db, guests.claim.reservationId))?.buyerId).toBe(user.id)
    const repeats = await Promise.all(['own', 'guest', 'third'].map((wish) => claimUnderKey(user.id, wish)))
    expect(repeats.map(({ reply }) => reply)).toMatchObject([
      { status: 'repeated', reservation: { id: own.claim.reservationId } },
      { status: 'repeated', reservation: { id: guests.claim.reservationId } },
      { status: 'key_reused' },
    ])
    expect(await readOperation(ledger.db, user.id, key)).toMatchObject({ fingerprint: 'own' })
    expect((await capture(sale, purchase)).status).toBe('paid')
  })

  it('[A46] a guest identity that ended otherwise is not adopted', async () => {
    const { buyerId: guest } = await buySeats(ledger, 1)
    await endGuest(ledger.db, guest, 60)
    expect(await adopt(ledger, guest, account)).toMatchObject({ status: 'other', changes: [] })
    expect(await belongingsOf(ledger, guest)).toMatchObject({ reservations: 1 })
  })

  it('[A48] an account that cannot be found adopts nothing', async () => {
    const { buyerId: guest } = await buySeats(ledger, 1)
    const before = await belongingsOf(ledger, guest)
    await expect(adopt(ledger, guest, { id: randomUUID() })).rejects.toThrow()
    expect(await belongingsOf(ledger, guest)).toEqual(before)
    expect((await adopt(ledger, guest, account)).status).toBe('adopted')
  })
})

import { randomUUID } from 'node:crypto'
import {
  acceptTransfer,
  checkIn,
  type Eticket,
  type Ledger,
  openTransfer,
  readEticket,
  readEticketsOfHolder,
  readGivenAway,
  startRefund,
  withdrawTransfer,
} from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { adopt, makeAccount } from '../reservations/adoption/adoption-kit.ts'
import { buySeats, type Paid, refundSeats } from './paid-kit.ts'

forEachLedger('transfers', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  const first = ({ etickets }: Pick<Paid, 'etickets'>): Eticket => {
    const [eticket] = etickets
    if (eticket === undefined) throw new Error('Nothing was bought')
    return eticket
  }
  const give = async ({ id: eticketId, holderId: actorId }: Eticket, email = 'bob@example.com') => {
    const wish = { transferId: randomUUID(), eticketId, actorId, email, language: 'vi' }
    return await openTransfer(ledger, wish)
  }
  const given = async (eticket: Eticket, email?: string): Promise<string> => {
    const outcome = await give(eticket, email)
    if (outcome.status !== 'opened') throw new Error(`not opened: ${outcome.status}`)
    return outcome.transferId
  }
  const accept = (transferId: string, actorId: string | null = null) => acceptTransfer(ledger, { transferId, actorId })
  const scan = (eticket: Eticket, generation: number) =>
    checkIn(ledger, { eticketId: eticket.id, by: randomUUID(), generation })
  const lettersAbout = async (id: string) =>
    await ledger.db.selectFrom('outbox').select(['type', 'payload']).where('aggregateid', '=', id).execute()

  it('[B180] until it is accepted nothing changes; the same address is told again, another one withdraws it', async () => {
    const paid = await buySeats(ledger, 1)
    const eticket = first(paid)
    const toBob = await given(eticket)
    expect(await readEticket(ledger.db, eticket.id)).toEqual(eticket)
    expect(await given(eticket)).toBe(toBob)
    expect(await lettersAbout(toBob)).toEqual([
      { type: 'transfer.asked', payload: { id: toBob } },
      { type: 'transfer.asked', payload: { id: toBob } },
    ])
    const toEve = await given(eticket, 'eve@example.com')
    expect(await accept(toBob)).toEqual({ status: 'over' })
    expect(await withdrawTransfer(ledger, { eticketId: eticket.id, actorId: randomUUID() })).toBe('not_yours')
    expect(await withdrawTransfer(ledger, { eticketId: eticket.id, actorId: paid.buyerId })).toBe('withdrawn')
    expect(await accept(toEve)).toEqual({ status: 'over' })
    expect(await scan(eticket, 1)).toMatchObject({ status: 'checked_in' })
  })

  it('[B181] the one who accepts has it; the old code is void, and accepting again is the same', async () => {
    const paid = await buySeats(ledger, 2)
    const eticket = first(paid)
    const transferId = await given(eticket)
    const outcome = await accept(transferId)
    expect(outcome).toMatchObject({ status: 'accepted', holderId: transferId, eticket: { generation: 2 } })
    expect(await accept(transferId)).toEqual({ ...outcome, status: 'repeated' })
    expect(await accept(transferId, randomUUID())).toEqual({ status: 'over' })
    expect(await readEticketsOfHolder(ledger.db, transferId, 9)).toMatchObject([{ id: eticket.id }])
    expect(await readEticketsOfHolder(ledger.db, paid.buyerId, 9)).toMatchObject([{ id: paid.etickets[1]?.id }])
    expect(await give(eticket)).toEqual({ status: 'not_yours' })
    expect(await scan(eticket, 1)).toMatchObject({ status: 'void' })
    expect(await scan(eticket, 2)).toMatchObject({ status: 'checked_in' })
    expect(await scan(eticket, 1)).toMatchObject({ status: 'void' })
  })

  it('[B182] what is used, void, or of an event that has begun is not transferred', async () => {
    const used = await buySeats(ledger, 1)
    const toUsed = await given(first(used))
    await checkIn(ledger, { eticketId: first(used).id, by: randomUUID() })
    expect(await give(first(used))).toMatchObject({ status: 'used' })
    expect(await accept(toUsed)).toMatchObject({ status: 'used' })
    const refunded = await buySeats(ledger, 1)
    const toRefunded = await given(first(refunded))
    await startRefund(ledger, { purchaseId: refunded.purchaseId, reason: 'asked for' })
    expect(await accept(toRefunded)).toMatchObject({ status: 'void' })
    expect(await give(first(refunded))).toMatchObject({ status: 'void' })
    const over = await buySeats(ledger, 1)
    const toOver = await given(first(over))
    const after = JSON.stringify({ transfersUntil: '2026-01-01T00:00:00.000Z' })
    await ledger.db.updateTable('events').set({ after }).where('id', '=', over.sale.event.id).execute()
    expect(await accept(toOver)).toMatchObject({ status: 'closed' })
    expect(await give(first(over))).toMatchObject({ status: 'closed' })
  })

  it('[B182] a scan of the old code, an acceptance and a refund that come together: one of them succeeds', async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < 18; round += 1) {
      const paid = await buySeats(ledger, 1)
      const transferId = await given(first(paid))
      const acts = [
        async () => (await scan(first(paid), 1)).status,
        async () => (await accept(transferId)).status,
        async () => (await startRefund(ledger, { purchaseId: paid.purchaseId, reason: 'asked for' })).status,
      ]
      const order = [round % 3, (round + 1) % 3, (round + 2) % 3]
      const statuses: string[] = []
      await Promise.all(order.map(async (act) => (statuses[act] = (await acts[act]?.()) ?? '')))
      outcomes.add(statuses.join(' '))
    }
    // A refund of a transferred e-ticket is no contradiction: the purchase is the buyer's.
    const allowed = ['checked_in used used', 'void accepted refunding', 'void void refunding']
    expect([...outcomes].filter((outcome) => !allowed.includes(outcome))).toEqual([])
  })

  it('[B182 control] looking first and changing the holder later, both succeed', async () => {
    const eticket = first(await buySeats(ledger, 1))
    const looked = await readEticket(ledger.db, eticket.id)
    expect(looked?.checkedInAt).toBeNull()
    expect(await scan(eticket, 1)).toMatchObject({ status: 'checked_in' })
    const holder = randomUUID()
    await sql`update etickets set generation = 2, holder_id = ${holder} where id = ${eticket.id}`.execute(ledger.db)
    const both = await readEticket(ledger.db, eticket.id)
    expect(both?.checkedInAt).not.toBeNull()
    expect(both?.holderId).toBe(holder)
  })

  it('[B183] a refund of the purchase voids it, the buyer sees where it went, and an adoption moves it', async () => {
    const paid = await buySeats(ledger, 2)
    const guestId = randomUUID()
    const transferId = await given(first(paid))
    expect(await accept(transferId, guestId)).toMatchObject({ status: 'accepted', holderId: guestId })
    const ids = paid.etickets.map(({ id }) => id)
    const [one, two] = ids
    expect(await readGivenAway(ledger.db, paid.buyerId, ids)).toEqual([
      { eticketId: one, email: 'bob@example.com', isAccepted: true },
    ])
    const account = await makeAccount(ledger)
    const { id } = account
    expect(await adopt(ledger, guestId, account)).toMatchObject({ status: 'adopted' })
    expect(await readEticketsOfHolder(ledger.db, id, 9)).toMatchObject([{ id: one, holderId: id }])
    // Also for a guest whose sign-in comes between the two calls.
    expect(await accept(transferId, guestId)).toMatchObject({ status: 'repeated', holderId: id })
    await refundSeats(ledger, paid)
    expect(await readEticket(ledger.db, one ?? '')).toMatchObject({ isVoid: true })
    expect(await readEticket(ledger.db, two ?? '')).toMatchObject({ isVoid: true })
  })
})

import { randomUUID } from 'node:crypto'
import {
  acceptTransfer,
  checkIn,
  exportRows,
  findMailLink,
  forgetMailLinks,
  keepMailLink,
  type Ledger,
  openTransfer,
} from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { makeAccount } from '../reservations/adoption/adoption-kit.ts'
import { buySeats, type Paid } from './paid-kit.ts'

forEachLedger('what stays of transfers', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  async function giveAway({ etickets, buyerId }: Paid, index: number, actorId: string | null): Promise<string> {
    const transferId = randomUUID()
    const eticketId = etickets[index]?.id ?? ''
    const email = `friend${index}@example.com`
    const wish = { transferId, eticketId, actorId: buyerId, email, language: null }
    expect(await openTransfer(ledger, wish)).toMatchObject({ status: 'opened' })
    expect(await acceptTransfer(ledger, { transferId, actorId })).toMatchObject({ status: 'accepted' })
    return transferId
  }
  const table = async (what: 'etickets' | 'checkins', eventId: string) =>
    new Map((await Array.fromAsync(exportRows(ledger.db, what, eventId))).flat().map((row) => [row.id, row]))

  it('[B194] tables of e-tickets and check-ins name the holder, who is another one after a transfer', async () => {
    const paid = await buySeats(ledger, 3)
    const { id: account } = await makeAccount(ledger)
    const known = await ledger.db.selectFrom('users').selectAll().where('id', '=', account).executeTakeFirstOrThrow()
    await giveAway(paid, 0, null)
    await giveAway(paid, 1, account)
    const [guests = '', accounts = '', own = ''] = paid.etickets.map(({ id }) => id)
    const eventId = paid.etickets[0]?.eventId ?? ''
    for (const [index, { id: eticketId }] of paid.etickets.entries()) {
      const scan = { eticketId, by: randomUUID(), generation: index < 2 ? 2 : 1 }
      expect(await checkIn(ledger, scan)).toMatchObject({ status: 'checked_in' })
    }
    const etickets = await table('etickets', eventId)
    expect(etickets.get(guests)).toMatchObject({ holder: null, holder_email: 'friend0@example.com' })
    expect(etickets.get(accounts)).toMatchObject({ holder: known.name, holder_email: known.email })
    expect(etickets.get(own)).toMatchObject({ holder: null, holder_email: null })
    const checkins = await table('checkins', eventId)
    expect([guests, accounts, own].map((id) => checkins.get(id)?.holder)).toEqual([
      'friend0@example.com',
      known.name,
      null,
    ])
  })

  it('[B194] links are deleted when their event has been over for long or is gone, in batches, and not before', async () => {
    const paid = await buySeats(ledger, 1)
    const eventId = paid.etickets[0]?.eventId ?? ''
    const transferId = await giveAway(paid, 0, null)
    const tokens = {
      order: await keepMailLink(ledger.db, { kind: 'order', subjectId: paid.reservationId }),
      transfer: await keepMailLink(ledger.db, { kind: 'transfer', subjectId: transferId }),
      offer: await keepMailLink(ledger.db, { kind: 'offer', subjectId: randomUUID() }),
    }
    const found = async () =>
      await Promise.all(
        (['order', 'transfer', 'offer'] as const).map((kind) => findMailLink(ledger.db, kind, tokens[kind])),
      )
    const due = () =>
      ledger.db
        .updateTable('mail_links')
        .set({ check_at: new Date(0) })
        .execute()
    const forget = (linksMax = 100) => forgetMailLinks(ledger.db, { daysMax: 37, linksMax })
    const over = (days: number) =>
      ledger.db
        .updateTable('events')
        .set({ starts_at: sql<Date>`now() - make_interval(days => ${days}) - interval '7 hours'` })
        .where('id', '=', eventId)
        .execute()

    await over(36)
    expect(await forget()).toBe(0)
    await due()
    expect(await forget()).toBe(3)
    expect(await found()).toEqual([paid.reservationId, transferId, null])
    // Looked at again when the event has been over for that long, not before.
    expect(await forget()).toBe(0)
    await over(38)
    await due()
    expect(await forget(1)).toBe(1)
    expect((await found()).filter((link) => link !== null)).toHaveLength(1)
    expect(await forget(1)).toBe(1)
    expect(await found()).toEqual([null, null, null])
  })
})

import { randomUUID } from 'node:crypto'
import { faults } from '@seatwise/domain'
import { isLedgerAway, type Ledger, openLedger } from '@seatwise/ledger'
import { postgresDatabase } from '@seatwise/testbench'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hold, openStanding } from '../sale-kit.ts'
import { type Account, adopt, belongingsOf, expectNothingLeft, makeAccount } from './adoption-kit.ts'
import { adoptUnguarded, claimWhile } from './race-adoption-kit.ts'

// On one connection no transaction begins before the one before has ended, and there is nothing to guard.
describe('adopting a guest while others hold locks (postgres)', () => {
  let database: Awaited<ReturnType<typeof postgresDatabase>>
  let ledger: Ledger
  let account: Account
  beforeAll(async () => {
    database = await postgresDatabase('migrated')
    ledger = await openLedger({ kind: 'postgres', url: database.url })
    account = await makeAccount(ledger)
  })
  afterAll(async () => {
    await ledger.close()
    await database.drop()
  })
  afterEach(() => faults.disarm())

  it('[A45 control] without the guest’s lock a claim that is being written stays behind', async () => {
    const { guest, claimed } = await claimWhile(ledger, (guestId) => adoptUnguarded(ledger, guestId, account.id))
    expect(claimed.buyerId).toBe(guest)
  })

  it.each([
    ['a reservation', sql`select from reservations where buyer_id = `],
    ['a stored answer', sql`select from operations where actor_id = `],
    ['a seat map', sql`select from seat_maps join reservations using (event_id) where buyer_id = `],
  ])('[A48][I31] while %s is locked signing in fails for now, and nothing has moved', async (_, rows) => {
    const sale = await openStanding(ledger, 3)
    const guest = randomUUID()
    await hold(sale, 1, { buyerId: guest })
    const before = await belongingsOf(ledger, guest)
    await ledger.db.transaction().execute(async (transaction) => {
      await sql`${rows}${guest} for update`.execute(transaction)
      const error = await adopt(ledger, guest, account, 300).catch((thrown: unknown) => thrown)
      expect(isLedgerAway(error)).toBe(true)
    })
    expect(await belongingsOf(ledger, guest)).toEqual(before)
    expect((await adopt(ledger, guest, account)).status).toBe('adopted')
    await expectNothingLeft(ledger, guest)
  })
})

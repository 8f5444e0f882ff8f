import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../../src/http/http-server.ts'
import { openTestApp, registerWithRole, type Visitor } from '../../support/accounts.ts'
import { query } from '../../support/payment-time.ts'

let ledger: Ledger
let app: App
beforeAll(async () => {
  ledger = await openScratchLedger()
  ;({ app } = await openTestApp(ledger, { env: { SEATWISE_RATE_LIMITS: 'off' } }))
})
afterAll(async () => {
  await app.close()
  await ledger.close()
})

it('[A30] two admins who demote each other while both must wait leave one admin', async () => {
  await ledger.db.updateTable('users').set({ role: 'buyer' }).where('role', '=', 'admin').execute()
  const [one, other] = [await registerWithRole(app, ledger, 'admin'), await registerWithRole(app, ledger, 'admin')]
  const demote = async (by: Visitor, target: Visitor): Promise<number> => {
    const headers = { authorization: by.authorization }
    const url = `/api/users/${target.id}`
    return (await app.inject({ method: 'PATCH', url, headers, payload: { role: 'buyer' } })).statusCode
  }
  const demotions = await ledger.db.transaction().execute(async (transaction) => {
    await transaction.selectFrom('users').select('id').where('role', '=', 'admin').forUpdate().execute()
    const both = [demote(one, other), demote(other, one)]
    await waitUntil('both wait for the rows', async () => (await waitingForLocks(ledger)) === 2)
    return { both }
  })
  expect((await Promise.all(demotions.both)).toSorted()).toEqual([200, 409])
  const admins = await ledger.db.selectFrom('users').select('id').where('role', '=', 'admin').execute()
  expect(admins).toHaveLength(1)
})

async function waitingForLocks({ db }: Ledger): Promise<number> {
  const waiting = "datname = current_database() and wait_event_type = 'Lock'"
  return (await query(db, `select pid from pg_stat_activity where ${waiting}`)).length
}

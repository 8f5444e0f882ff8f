import { type Ledger, openLedger } from '@seatwise/ledger'
import { type Postgres, startPostgres, waitUntil } from '@seatwise/testbench'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Standby, startStandby } from '../support/standby.ts'

let primary: Postgres
let standby: Standby
let ledger: Ledger
beforeAll(async () => {
  primary = await startPostgres()
  standby = await startStandby(primary)
  ledger = await openLedger({ kind: 'postgres', url: primary.url, replicaUrl: standby.url })
  await sql`create table facts (n integer)`.execute(ledger.db)
})
afterAll(async () => {
  await ledger.close()
  await standby.discard()
  await primary.discard()
})

test('[D15] a replica that keeps up serves reads and refuses writes', async () => {
  await untilUsed()
  await sql`insert into facts values (1)`.execute(ledger.db)
  await waitUntil('the replica has it', async () => (await facts()).includes(1))
  expect((await sql`select pg_is_in_recovery() as standby`.execute(ledger.replica)).rows).toEqual([{ standby: true }])
  await expect(sql`insert into facts values (2)`.execute(ledger.replica)).rejects.toMatchObject({ code: '25006' })
})

test('[D16] a replica that falls behind is not used until it has caught up', async () => {
  await untilUsed()
  await standby.query('select pg_wal_replay_pause()')
  await sql`insert into facts values (3)`.execute(ledger.db)
  await waitUntil('it is left out', () => ledger.replicaProblem === 'it is too far behind the primary')
  expect(ledger.replica).toBe(ledger.db)
  expect(await facts()).toContain(3)

  await standby.query('select pg_wal_replay_resume()')
  await untilUsed()
  expect(await facts()).toContain(3)
})

test('[D16] a replica that dies is not used until it is back; the ledger itself is fine', async () => {
  await untilUsed()
  await standby.kill()
  await waitUntil('it is left out', () => ledger.replicaProblem?.startsWith('it does not answer'))
  expect(ledger.replica).toBe(ledger.db)
  await ledger.ping()
  // The backends of a killed PostgreSQL take a moment to leave; until then it does not start again.
  await waitUntil('it starts again', async () => {
    await standby.start()
    return true
  })
  await untilUsed()
})

test('[D16] a server that is no standby is not used as one', async () => {
  const confused = await openLedger({ kind: 'postgres', url: primary.url, replicaUrl: primary.url })
  expect(confused.replicaProblem).toBe('it is not a standby of the primary')
  expect(confused.replica).toBe(confused.db)
  await confused.close()
})

async function untilUsed(): Promise<void> {
  await waitUntil('the replica is used', () => ledger.replicaProblem === undefined && ledger.replica !== ledger.db)
}

async function facts(): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`select n from facts`.execute(ledger.replica)
  return rows.map(({ n }) => n)
}

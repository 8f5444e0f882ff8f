import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger, waitUntil } from '@seatwise/testbench'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'

let ledger: Ledger
beforeAll(async () => {
  ledger = await openScratchLedger()
})
afterAll(() => ledger.close())

it('[O56] a PostgreSQL that became read-only answers, and takes no writes until it is mended', async () => {
  await ledger.proveWritable()
  await setReadOnly('on')
  await expect(ledger.proveWritable()).rejects.toThrow('it is read-only')
  await setReadOnly('off')
  await ledger.proveWritable()
})

/** For the database, and so for every new connection; open ones are ended. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const others = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  await ledger.withOwnConnection('tool', async ({ db }) => {
    await sql`set default_transaction_read_only = off`.execute(db)
    const { rows } = await sql<{ name: string }>`select quote_ident(current_database()) as name`.execute(db)
    const change = `alter database ${rows[0]?.name} set default_transaction_read_only = ${value}`
    await sql.raw(change).execute(db)
    await others.execute(db)
  })
  const answers = () =>
    ledger.ping().then(
      () => true,
      () => false,
    )
  await waitUntil('the pool has noticed', answers)
}

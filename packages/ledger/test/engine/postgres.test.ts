import {
  inTransaction,
  isAboutTheWork,
  isLedgerAway,
  type Ledger,
  LedgerUnreachable,
  openLedger,
} from '@seatwise/ledger'
import { freePort, postgresDatabase, startFaultProxy, testSeed, waitUntil } from '@seatwise/testbench'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

let url: string
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ url, drop } = await postgresDatabase())
})
afterAll(() => drop())

test.each([
  ['locale C', "template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'", /encoding UTF8 and locale C,/],
  ['locale POSIX', "template template0 encoding 'UTF8' lc_collate 'POSIX' lc_ctype 'POSIX'", /locale (C|POSIX),/],
  ['Latin 1', "template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'", /encoding LATIN1/],
])('[D12] a database with %s is refused with a sentence that says what to do', async (_name, nature, message) => {
  await withDatabase(nature, async (unsuitable) => {
    const attempt = openLedger({ kind: 'postgres', url: unsuitable })
    await expect(attempt).rejects.toThrow(message)
    await expect(openLedger({ kind: 'postgres', url: unsuitable })).rejects.toMatchObject({
      name: 'LedgerUnsuitable',
      message: expect.stringContaining('a UTF-8 locale is needed. Create it anew: create database'),
    })
  })
})

test('[D12] the advice in the error message works', async () => {
  await withDatabase("template template0 encoding 'UTF8' lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'", async (suitable) => {
    await (await openLedger({ kind: 'postgres', url: suitable })).close()
  })
})

test('[D13] a server that does not answer is named without its credentials', async () => {
  const port = await freePort()
  const attempt = openLedger({ kind: 'postgres', url: `postgres://ada:s3cret@127.0.0.1:${port}/tickets` })
  const error: unknown = await attempt.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(LedgerUnreachable)
  expect(error).toMatchObject({
    message: expect.stringMatching(`^PostgreSQL at 127.0.0.1:${port} does not answer: .*ECONNREFUSED`),
    cause: { code: 'ECONNREFUSED' },
  })
  expect(String((error as Error).stack)).not.toContain('s3cret')
})

test('[D14] a statement that takes too long is ended, and an idle transaction too', async () => {
  const ledger = await openLedger({ kind: 'postgres', url, deadlines: { statementMs: 500, idleMs: 500 } })
  await expect(sql`select pg_sleep(60)`.execute(ledger.db)).rejects.toMatchObject({ code: '57014' })

  const idle = ledger.db.transaction().execute(async (session) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(session)
    await untilGone(rows[0]?.pid)
    await sql`select 1`.execute(session)
  })
  await expect(idle).rejects.toThrow()
  await ledger.ping()
  await ledger.close()
})

test('[D14] each kind of work has its own time-outs', async () => {
  const ledger = await openLedger({ kind: 'postgres', url, deadlines: { statementMs: 500 } })
  expect(await timeOutsOf(ledger.db)).toEqual({ lock: '5s', statement: '500ms', idle: '10s' })
  const own = (kind: 'migration' | 'tool' | 'guard') =>
    ledger.withOwnConnection(kind, async ({ db }) => {
      await sql`select pg_sleep(0.7)`.execute(db)
      return await timeOutsOf(db)
    })
  expect(await own('migration')).toEqual({ lock: '0', statement: '0', idle: '1min' })
  expect(await own('tool')).toEqual({ lock: '5s', statement: '0', idle: '10min' })
  expect(await own('guard')).toEqual({ lock: '1s', statement: '10s', idle: '0' })
  await ledger.close()
})

test('[D14] [D31] a lock that is not had in time is a passing failure of all who wait, not of what they asked', async () => {
  const ledger = await openLedger({ kind: 'postgres', url, deadlines: { lockMs: 100 } })
  await sql`create table contended (id integer primary key)`.execute(ledger.db)
  await sql`insert into contended values (1)`.execute(ledger.db)
  const lock = { statement: { name: 'lock', sql: 'select from contended for update' }, parameters: [] }
  await inTransaction(ledger, async (holder) => {
    await holder.together([lock])
    const error = await inTransaction(ledger, (waiter) => waiter.finish([lock])).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: '55P03' })
    expect(isLedgerAway(error)).toBe(true)
    expect(isAboutTheWork(error)).toBe(false)
  })
  await inTransaction(ledger, (next) => next.finish([lock]))
  await ledger.close()
})

async function timeOutsOf(db: Ledger['db']) {
  const { rows } = await sql`
    select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement,
           current_setting('idle_in_transaction_session_timeout') as idle`.execute(db)
  return rows[0]
}

test('[D14] a connection to a silent server is closed, and the ledger works again when the server answers', async () => {
  const target = new URL(url)
  const proxy = await startFaultProxy({ targetPort: Number(target.port), seed: testSeed() })
  target.port = String(proxy.port)
  const ledger = await openLedger({ kind: 'postgres', url: target.href, deadlines: { statementMs: 500, idleMs: 500 } })
  proxy.cut()
  await expect(ledger.ping()).rejects.toThrow(/silent for 1500 ms/)
  proxy.heal()
  await ledger.ping()
  await ledger.close()
  await proxy.stop()
})

test('[D13] connections that the server ends do not end the program', async () => {
  const ledger = await openLedger({ kind: 'postgres', url })
  const underWay = sql`select pg_sleep(60)`.execute(ledger.db)
  const failure = expect(underWay).rejects.toMatchObject({ code: '57P01' })
  const others = sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%pg_sleep(60)%'
       and pid <> pg_backend_pid() and state = 'active'`
  await waitUntil('it was found and ended', async () => (await others.execute(ledger.db)).rows.length > 0)
  await failure
  // The pool may hand out the connection once more before it learns that it has ended.
  await waitUntil('another connection answers', () =>
    ledger.ping().then(
      () => true,
      () => false,
    ),
  )
  await ledger.close()
})

test('[D13] options in the URL are kept beside ours, and a schema is where the tables are looked for', async () => {
  const withOptions = new URL(url)
  withOptions.searchParams.set('options', '-c work_mem=7MB')
  const ledger = await openLedger({ kind: 'postgres', url: withOptions.href, schema: 'elsewhere' })
  const { rows } = await sql`
    select current_setting('work_mem') as memory, current_setting('timezone') as zone, current_setting('search_path') as path
  `.execute(ledger.db)
  expect(rows).toEqual([{ memory: '7MB', zone: 'UTC', path: 'elsewhere,public' }])
  await ledger.close()
  await expect(openLedger({ kind: 'postgres', url, schema: 'x; drop' })).rejects.toThrow(/A schema is named like/)
})

async function withDatabase(nature: string, work: (url: string) => Promise<void>): Promise<void> {
  const name = `unsuitable_${process.pid}`
  await administer(`create database ${name} ${nature}`)
  try {
    const there = new URL(url)
    there.pathname = `/${name}`
    await work(there.href)
  } finally {
    await administer(`drop database ${name} with (force)`)
  }
}

async function administer<Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    return (await client.query<Row>(statement, values)).rows
  } finally {
    await client.end()
  }
}

async function untilGone(pid: number | undefined): Promise<void> {
  await waitUntil('the server has ended the session', async () => {
    const sessions = await administer('select 1 from pg_stat_activity where pid = $1', [pid])
    return sessions.length === 0
  })
}

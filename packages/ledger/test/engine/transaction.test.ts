import { forEachLedger, postgresDatabase } from '@seatwise/testbench'
import { type Kysely, sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type Ledger, openLedger } from '../../src/engine/ledger.ts'
import { isLedgerAway } from '../../src/engine/ledger-errors.ts'
import type { Schema } from '../../src/engine/schema/schema.ts'
import type { Call } from '../../src/engine/statement.ts'
import { inTransaction, runPrepared } from '../../src/engine/transaction.ts'

forEachLedger('a transaction', (open) => {
  let ledger: Ledger

  beforeAll(async () => {
    ledger = await open()
    await sql`create table sent (number integer primary key)`.execute(ledger.db)
    await sql`create table kept (number integer references sent deferrable initially deferred)`.execute(ledger.db)
  })
  beforeEach(async () => {
    await sql`truncate sent, kept`.execute(ledger.db)
  })

  const insert = (number: number): Call => ({
    statement: {
      name: 'insert a number',
      sql: 'insert into sent (number) values ($1) returning number',
      isPrepared: true,
    },
    parameters: [number],
  })
  const numbers = async (): Promise<number[]> => {
    const { rows } = await sql<{ number: number }>`select number from sent order by number`.execute(ledger.db)
    return rows.map(({ number }) => number)
  }
  const isIdle = (): boolean => ledger.connections().open === ledger.connections().idle

  test('[D32] the last statements take effect with the commit', async () => {
    const read = await inTransaction(ledger, async (transaction) => {
      const rows = await transaction.together([insert(1), insert(2)])
      await transaction.finish([insert(3)])
      return rows
    })
    expect(await numbers()).toEqual([1, 2, 3])
    expect(read).toEqual([[{ number: 1 }], [{ number: 2 }]])
    expect(isIdle()).toBe(true)
  })

  test('[D32] work that does not finish by itself is committed when it returns', async () => {
    await inTransaction(ledger, async (transaction) => {
      await transaction.run(insert(1).statement, [1])
      expect(await insertBy(transaction.db, 2)).toMatchObject({ numAffectedRows: 1n })
    })
    await inTransaction(ledger, async () => {})
    expect(await numbers()).toEqual([1, 2])
  })

  test('[D32] a statement that fails undoes all of them, and the connection works afterwards', async () => {
    const failed = inTransaction(ledger, async (transaction) => {
      await transaction.together([insert(4)])
      await transaction.finish([insert(5), insert(4), insert(6)])
    })
    await expect(failed).rejects.toMatchObject({ code: '23505' })
    expect(await numbers()).toEqual([])
    await inTransaction(ledger, (transaction) => transaction.finish([insert(7)]))
    expect(await numbers()).toEqual([7])
    expect(isIdle()).toBe(true)
  })

  test('[D32] what the work throws undoes everything, through Kysely as well', async () => {
    const failed = inTransaction(ledger, async (transaction) => {
      await insertBy(transaction.db, 1)
      await transaction.together([insert(2)])
      throw new RangeError('changed its mind')
    })
    await expect(failed).rejects.toThrow('changed its mind')
    expect(await numbers()).toEqual([])
  })

  test('[D32] a failure that the work ignores is not committed and not hidden', async () => {
    const ignoring = inTransaction(ledger, async (transaction) => {
      await transaction.together([insert(1)])
      await transaction.together([insert(1)]).catch(() => {})
    })
    await expect(ignoring).rejects.toThrow('rolled back')
    expect(await numbers()).toEqual([])
  })

  test('[D32] a constraint that is checked by the commit fails the transaction', async () => {
    const keep = { statement: { name: 'keep', sql: 'insert into kept values ($1)' }, parameters: [9] }
    const failed = inTransaction(ledger, (transaction) => transaction.finish([insert(8), keep]))
    await expect(failed).rejects.toMatchObject({ code: '23503' })
    expect(await numbers()).toEqual([])
  })

  test('[D32] nothing can be asked after the commit', async () => {
    const late = inTransaction(ledger, async (transaction) => {
      await transaction.finish([insert(8)])
      await transaction.together([insert(9)])
    })
    await expect(late).rejects.toThrow('after the commit')
    const lateByKysely = inTransaction(ledger, async (transaction) => {
      await transaction.finish([])
      await insertBy(transaction.db, 9)
    })
    await expect(lateByKysely).rejects.toThrow('after the commit')
    expect(await numbers()).toEqual([8])
  })

  test('[D32] Kysely inside of it can neither begin nor end a transaction', async () => {
    const nested = inTransaction(ledger, (transaction) =>
      transaction.db.transaction().execute((inner) => insertBy(inner, 1)),
    )
    await expect(nested).rejects.toThrow('inside of another transaction')
    expect(await numbers()).toEqual([])
  })

  test('[D32] prepared statements run outside of transactions, too', async () => {
    expect(await runPrepared(ledger, insert(1).statement, [1])).toEqual([{ number: 1 }])
    expect(await runPrepared(ledger, insert(2).statement, [2])).toEqual([{ number: 2 }])
  })
})

test('[D32] a connection that broke fails the transaction and leaves the pool', async () => {
  const database = await postgresDatabase('empty')
  const ledger = await openLedger({ kind: 'postgres', url: database.url })
  try {
    const broken = inTransaction(ledger, async (transaction) => {
      const [row] = await transaction.run<{ pid: number }>(PID, [])
      await sql`select pg_terminate_backend(${row?.pid}::int)`.execute(ledger.db)
      await transaction.finish([{ statement: PID, parameters: [] }])
    }).catch((error: unknown) => error)
    expect(isLedgerAway(await broken)).toBe(true)
    expect(ledger.connections()).toEqual({ open: 1, idle: 1, waiting: 0 })
    await inTransaction(ledger, (transaction) => transaction.finish([{ statement: PID, parameters: [] }]))
  } finally {
    await ledger.close()
    await database.drop()
  }
})

const PID = { name: 'pid', sql: 'select pg_backend_pid() as pid' }

const insertBy = (db: Kysely<Schema>, number: number) => sql`insert into sent values (${number})`.execute(db)

import { forEachLedger } from '@seatwise/testbench'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Ledger } from '../../src/engine/ledger.ts'
import { type Call, runTogether, runTogetherAndCommit } from '../../src/engine/statement.ts'

forEachLedger('statements that are sent together', (open) => {
  let ledger: Ledger

  beforeAll(async () => {
    ledger = await open()
    await sql`create table sent (number integer primary key)`.execute(ledger.db)
  })

  const insert = (number: number): Call => ({
    statement: { name: 'insert', sql: 'insert into sent (number) values ($1) returning number' },
    parameters: [number],
  })
  const numbers = async (): Promise<number[]> => {
    const { rows } = await sql<{ number: number }>`select number from sent order by number`.execute(ledger.db)
    return rows.map(({ number }) => number)
  }

  test('[D32] the last of a transaction take effect with its commit', async () => {
    const done = await ledger.db.transaction().execute(async (transaction) => {
      const read = await runTogether(transaction, [insert(1), insert(2)])
      await runTogetherAndCommit(transaction, [insert(3)])
      return read
    })
    expect(await numbers()).toEqual([1, 2, 3])
    expect(done).toEqual([[{ number: 1 }], [{ number: 2 }]])
  })

  test('[D32] one that fails undoes all of them, and the connection works afterwards', async () => {
    const failed = ledger.db.transaction().execute(async (transaction) => {
      await runTogether(transaction, [insert(4)])
      await runTogetherAndCommit(transaction, [insert(5), insert(1), insert(6)])
    })
    await expect(failed).rejects.toMatchObject({ code: '23505' })
    expect(await numbers()).toEqual([1, 2, 3])
    await ledger.db.transaction().execute((transaction) => runTogetherAndCommit(transaction, [insert(7)]))
    expect(await numbers()).toEqual([1, 2, 3, 7])
  })

  test('[D32] nothing can be asked in it afterwards', async () => {
    const late = ledger.db.transaction().execute(async (transaction) => {
      await runTogetherAndCommit(transaction, [insert(8)])
      await runTogether(transaction, [insert(9)])
    })
    await expect(late).rejects.toThrow('after the commit')
    expect(await numbers()).toEqual([1, 2, 3, 7, 8])
  })
})

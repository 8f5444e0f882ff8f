import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openLedger } from '@seatwise/ledger'
import { copyLedgerTemplate, removeFolder, startChild, temporaryFolder, waitUntil } from '@seatwise/testbench'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSession } from '../../src/engine/pglite/open-pglite.ts'
import { PgliteThread } from '../../src/engine/pglite/thread.ts'

const WRITER = join(import.meta.dirname, '../fixtures/write-for-ever.ts')

let folder: string
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => removeFolder(folder))

test('[D6] whatever was acknowledged is there after kill -9, twice over', { timeout: 60_000 }, async () => {
  const dataDir = join(folder, 'killed')
  await copyLedgerTemplate(dataDir)
  for (const crash of [1, 2]) {
    const writer = await startChild('writer', process.execPath, [WRITER, dataDir])
    await waitUntil('it wrote a good many', () => !writer.isRunning() || lines(writer.output()).length > 100 * crash, {
      timeoutMs: 50_000,
    })
    await writer.kill()
    const acknowledged = lines(writer.output()).map(Number)
    expect(acknowledged.length, writer.output()).toBeGreaterThan(100)

    const ledger = await openLedger({ kind: 'pglite', dataDir })
    const { rows } = await sql<{ n: number }>`select n from facts order by n`.execute(ledger.db)
    await ledger.close()
    const kept = new Set(rows.map(({ n }) => n))
    expect(acknowledged.filter((n) => !kept.has(n))).toEqual([])
    // At most the one that was on its way may be there in addition.
    expect(kept.size - Math.max(...acknowledged)).toBeLessThanOrEqual(1)
  }
})

test('[D7] the event loop turns while a statement works and while a large answer is read', async () => {
  const dataDir = join(folder, 'busy')
  await copyLedgerTemplate(dataDir)
  const ledger = await openLedger({ kind: 'pglite', dataDir })
  const working = await turnsDuring(async () => {
    await sql`select count(*) from generate_series(1, 2000000)`.execute(ledger.db)
  })
  expect(working).toBeGreaterThan(50)

  const reading = await turnsDuring(async () => {
    const { rows } = await sql`select n, repeat('x', 50) as text from generate_series(1, 60000) as n`.execute(ledger.db)
    expect(rows.length).toBe(60_000)
    expect(rows.at(-1)).toEqual({ n: 60_000, text: 'x'.repeat(50) })
  })
  // 60,000 rows of some 70 bytes, in pieces of 64 KiB.
  expect(reading).toBeGreaterThan(50)
  await ledger.close()
})

test('[D8] when the thread ends, what is under way and what comes later fails', async () => {
  await copyLedgerTemplate(join(folder, 'crashing'))
  const thread = new PgliteThread(join(folder, 'crashing', 'ledger'))
  const ledger = await openSession(thread)
  const underWay = sql`select count(*) from generate_series(1, 100000000)`.execute(ledger.db)
  const waiting = sql`select 1`.execute(ledger.db)
  const failures = Promise.allSettled([underWay, waiting])
  await thread.terminate()
  for (const failure of await failures) {
    expect(failure).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(/has stopped/) } })
  }
  await expect(ledger.ping()).rejects.toThrow(/does not answer.*has stopped.*restart the server/)
  await ledger.close()
})

test('[D11] a ledger in memory needs no folder', async () => {
  const ledger = await openLedger({ kind: 'pglite', dataDir: 'memory://' })
  await ledger.ping()
  await ledger.close()
})

test('[D11] a folder that was being made when the process died is made anew', { timeout: 60_000 }, async () => {
  const dataDir = join(folder, 'half made', 'deep inside')
  await mkdir(join(dataDir, 'ledger.new', 'base'), { recursive: true })
  await writeFile(join(dataDir, 'ledger.new', 'PG_VERSION'), '18\n')
  const ledger = await openLedger({ kind: 'pglite', dataDir })
  await ledger.ping()
  await ledger.close()
})

test('[D11 control] half a folder in the place of the ledger does not open, and says which', async () => {
  const dataDir = join(folder, 'broken')
  await mkdir(join(dataDir, 'ledger', 'base'), { recursive: true })
  await writeFile(join(dataDir, 'ledger', 'PG_VERSION'), '18\n')
  await expect(openLedger({ kind: 'pglite', dataDir })).rejects.toThrow(/embedded ledger in .*broken does not open/)
})

test('[D6] a copy of a closed folder is a ledger', { timeout: 60_000 }, async () => {
  const from = join(folder, 'original')
  await copyLedgerTemplate(from)
  const first = await openLedger({ kind: 'pglite', dataDir: from })
  await sql`create table facts as select 1 as n`.execute(first.db)
  await first.close()
  await cp(from, join(folder, 'copy'), { recursive: true })
  const second = await openLedger({ kind: 'pglite', dataDir: join(folder, 'copy') })
  expect((await sql`select n from facts`.execute(second.db)).rows).toEqual([{ n: 1 }])
  await second.close()
})

function lines(output: string): string[] {
  // What follows the last line break may be half a number.
  return output.split('\n').slice(0, -1)
}

/** How often the event loop came round while the work was done. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0
  let isDone = false
  const turn = (): void => {
    turns += 1
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isDone = true
  return turns
}

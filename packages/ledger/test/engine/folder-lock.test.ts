import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Ledger, LedgerLocked, openLedger } from '@seatwise/ledger'
import {
  type Child,
  copyLedgerTemplate,
  removeFolder,
  startChild,
  temporaryFolder,
  waitUntil,
} from '@seatwise/testbench'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSession } from '../../src/engine/pglite/open-pglite.ts'
import { PgliteThread } from '../../src/engine/pglite/thread.ts'

const OPENER = join(import.meta.dirname, '../fixtures/open-ledger.ts')

let folder: string
let dataDir: string
beforeAll(async () => {
  folder = await temporaryFolder()
  dataDir = join(folder, 'a folder with blanks', 'data')
})
afterAll(() => removeFolder(folder))

test('[D9, D10] a second process is told who has the folder, also while that one is stopped, and not after kill -9', {
  timeout: 60_000,
}, async () => {
  const first = await holdOpen()
  await expectLockedBy(first)

  first.pause()
  await waitUntil('it is stopped', async () => (await processState(first.pid)) === 'T')
  await expectLockedBy(first)
  first.resume()

  await first.kill()
  // The dead process's lock file is still there and must not count.
  expect(await readFile(join(dataDir, 'lock.json'), 'utf8')).toContain(String(first.pid))
  const ledger = await openLedger({ kind: 'pglite', dataDir })
  await ledger.ping()
  await ledger.close()
})

test('[D9] of five processes that open one folder at the same moment exactly one gets it', {
  timeout: 60_000,
}, async () => {
  const race = await Promise.all(
    [1, 2, 3, 4, 5].map((n) => startChild(`opener ${n}`, process.execPath, [OPENER, dataDir])),
  )
  await waitUntil(
    'all but one gave up and that one has it open',
    () => {
      const alive = race.filter((child) => child.isRunning())
      return alive.length === 1 && alive[0]?.output().includes('open\n')
    },
    { timeoutMs: 50_000 },
  )
  const losers = race.filter((child) => !child.isRunning())
  for (const loser of losers) expect(loser.output()).toMatch(/LedgerLocked: The data folder .* is in use by/)
  await Promise.all(race.map((child) => child.kill()))
})

test('[D9 control] without the lock two openers both believe they have it, and what one wrote the other destroys', {
  timeout: 60_000,
}, async () => {
  await copyLedgerTemplate(join(folder, 'control'))
  const place = join(folder, 'control', 'ledger')
  const first = await openSession(new PgliteThread(place))
  const second = await openSession(new PgliteThread(place))
  await sql`create table facts as select 1 as n`.execute(first.db)
  await expect(sql`select n from facts`.execute(second.db)).rejects.toMatchObject({ code: '42P01' })
  await sql`create table others as select 1 as n`.execute(second.db)
  await first.close()
  await second.close()

  const third = await openSession(new PgliteThread(place))
  await expect(sql`select n from facts`.execute(third.db)).rejects.toThrow()
  await third.close()
})

test('[D9] the same process cannot open a folder twice either, and can again after closing it', async () => {
  const first = await openLedger({ kind: 'pglite', dataDir })
  await expect(openLedger({ kind: 'pglite', dataDir })).rejects.toBeInstanceOf(LedgerLocked)
  await first.ping()
  await first.close()
  await (await openLedger({ kind: 'pglite', dataDir })).close()
})

test('[D11] the folder is made for its owner only', async () => {
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
})

async function holdOpen(): Promise<Child> {
  const child = await startChild('opener', process.execPath, [OPENER, dataDir])
  await waitUntil(
    'it has the folder open',
    () => {
      if (!child.isRunning()) throw new Error(child.output())
      return child.output().includes('open\n')
    },
    { timeoutMs: 50_000 },
  )
  return child
}

async function expectLockedBy(child: Child): Promise<void> {
  const attempt: Promise<Ledger> = openLedger({ kind: 'pglite', dataDir })
  await expect(attempt).rejects.toMatchObject({
    name: 'LedgerLocked',
    folder: dataDir,
    holder: { pid: child.pid },
    message: expect.stringContaining(`The data folder ${dataDir} is in use by process ${child.pid} since 20`),
  })
}

async function processState(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return /^State:\s+(\w)/m.exec(status)?.[1] ?? ''
}

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Ledger, migrate, openLedger } from '@seatwise/seats'
import { inject } from 'vitest'
import { waitUntil } from './wait-until.ts'

/** `empty`: a cluster without tables, as before the first start. `migrated`: with the tables of today. */
export type Template = 'empty' | 'migrated'

/**
 * Fills a data folder with an embedded ledger. Making one takes seconds, copying one does not: the first test of a run
 * that needs one makes it, all others copy.
 */
export async function copyLedgerTemplate(dataDir: string, kind: Template = 'empty'): Promise<void> {
  const template = join(inject('templateFolder'), kind)
  if (!existsSync(template)) await makeOrAwait(template, kind)
  await cp(template, dataDir, { recursive: true })
}

/** An embedded ledger with its tables, for one test. Its folder is removed with the template, at the end of the run. */
export async function openScratchLedger(): Promise<Ledger> {
  const dataDir = join(inject('templateFolder'), `scratch-${randomUUID()}`)
  await copyLedgerTemplate(dataDir, 'migrated')
  return await openLedger({ kind: 'pglite', dataDir })
}

async function makeOrAwait(template: string, kind: Template): Promise<void> {
  const draft = `${template}.draft`
  if (!(await isFirst(`${template}.making`))) {
    await waitUntil('another test has made the ledger', () => existsSync(template), { timeoutMs: 50_000, everyMs: 50 })
    return
  }
  if (kind === 'migrated') await copyLedgerTemplate(draft)
  const ledger = await openLedger({ kind: 'pglite', dataDir: draft })
  if (kind === 'migrated') await migrate(ledger)
  await ledger.close()
  await rename(draft, template)
}

/** Making a folder succeeds for exactly one of those who try. */
async function isFirst(marker: string): Promise<boolean> {
  try {
    await mkdir(marker)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

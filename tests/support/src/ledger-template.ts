import { existsSync } from 'node:fs'
import { cp, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { openLedger } from '@seatwise/seats'
import { inject } from 'vitest'
import { waitUntil } from './wait-until.ts'

/**
 * Fills a data folder with an embedded ledger that has no tables yet. Making one takes seconds, copying one does not:
 * the first test of a run that needs one makes it, all others copy.
 */
export async function copyLedgerTemplate(dataDir: string): Promise<void> {
  const template = join(inject('templateFolder'), 'ledger')
  if (!existsSync(template)) await makeOrAwait(template)
  await cp(template, dataDir, { recursive: true })
}

async function makeOrAwait(template: string): Promise<void> {
  const draft = `${template}.draft`
  if (!(await isFirst(`${template}.making`))) {
    await waitUntil('another test has made the ledger', () => existsSync(template), { timeoutMs: 50_000, everyMs: 50 })
    return
  }
  const ledger = await openLedger({ kind: 'pglite', dataDir: draft })
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

import { randomUUID } from 'node:crypto'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { type Ledger, migrate, openLedger } from '@seatwise/seats'
import { inject } from 'vitest'
import { onceARun } from './once-a-run.ts'

/** `empty`: a cluster without tables, as before the first start. `migrated`: with the tables of today. */
export type Template = 'empty' | 'migrated'

/** Fills a data folder with an embedded ledger. Making one takes seconds, copying one does not. */
export async function copyLedgerTemplate(dataDir: string, kind: Template = 'empty'): Promise<void> {
  const template = join(inject('runFolder'), kind)
  await onceARun(template, async (draft) => {
    if (kind === 'migrated') await copyLedgerTemplate(draft)
    const ledger = await openLedger({ kind: 'pglite', dataDir: draft })
    if (kind === 'migrated') await migrate(ledger)
    await ledger.close()
  })
  await cp(template, dataDir, { recursive: true })
}

/** An embedded ledger with its tables, for one test. Its folder is removed with the template, at the end of the run. */
export async function openScratchLedger(): Promise<Ledger> {
  const dataDir = join(inject('runFolder'), `scratch-${randomUUID()}`)
  await copyLedgerTemplate(dataDir, 'migrated')
  return await openLedger({ kind: 'pglite', dataDir })
}

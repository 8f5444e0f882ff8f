import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate, openLedger } from '@seatwise/ledger'
import { inject } from 'vitest'
import { onceARun } from '../once-a-run.ts'

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

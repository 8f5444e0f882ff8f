import { join } from 'node:path'
import { type Ledger, type LedgerOptions, openLedger } from '@seatwise/ledger'
import { afterAll, describe } from 'vitest'
import { removeFolder, temporaryFolder } from '../machine.ts'
import { copyLedgerTemplate } from './ledger-template.ts'
import { postgresDatabase } from './shared-stores.ts'

/** Opens a fresh, migrated ledger. The bench closes it when the suite is over. */
export type OpenLedger = () => Promise<Ledger>

/** A fresh place where no tables are yet, for suites that open, close and open again by themselves. */
export type LedgerPlace = () => Promise<LedgerOptions>

/** Runs one suite on every engine that a ledger can live on. */
export function forEachLedger(name: string, suite: (open: OpenLedger, place: LedgerPlace) => void): void {
  for (const kind of ['pglite', 'postgres'] as const) {
    describe(`${name} (${kind})`, () => {
      const undo: (() => Promise<void>)[] = []
      afterAll(async () => {
        for (const step of undo.reverse()) await step()
      })

      const findPlace = async (content: 'empty' | 'migrated'): Promise<LedgerOptions> => {
        if (kind === 'postgres') {
          const database = await postgresDatabase(content)
          undo.push(() => database.drop())
          return { kind, url: database.url }
        }
        const folder = await temporaryFolder()
        undo.push(() => removeFolder(folder))
        const dataDir = join(folder, 'ledger')
        await copyLedgerTemplate(dataDir, content)
        return { kind, dataDir }
      }
      const open = async (): Promise<Ledger> => {
        const ledger = await openLedger(await findPlace('migrated'))
        undo.push(() => ledger.close())
        return ledger
      }
      suite(open, () => findPlace('empty'))
    })
  }
}

/** A fresh, migrated ledger for tests to which the engine does not matter: PostgreSQL's, which is there at once. */
export async function openScratchLedger(): Promise<Ledger> {
  const database = await postgresDatabase('migrated')
  const ledger = await openLedger({ kind: 'postgres', url: database.url })
  return {
    ...ledger,
    async close() {
      await ledger.close()
      await database.drop()
    },
  }
}

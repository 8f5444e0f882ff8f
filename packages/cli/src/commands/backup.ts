import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type BackupFacts, connectToRunningServer, LedgerLocked, makeBackup } from '@seatwise/ledger'
import { type Config, openConfiguredLedger, readConfig, VERSION } from '@seatwise/server'
import { type Command, readFolder } from '../command.ts'
import { explainSize } from '../report/explain-size.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'copies the data folder, also while the server runs',
  help: [
    'seatwise backup DIR',
    '',
    'Copies ledger, keys and mailbox of an embedded server into DIR, a new or empty folder, also while the server runs: it',
    'stops writing for as long as the copy of the ledger takes. Everything that was acknowledged before the time that is',
    'printed is in it. DIR then holds secrets and personal data, readable by this user only; SEATWISE_SECRET, if you set it,',
    'is not in it. "seatwise restore DIR" reads it. For PostgreSQL, docs/backups.md says how.',
  ].join('\n'),
  async run(args) {
    const folder = readFolder(args)
    const config = readConfig()
    if (config.databaseUrl !== null) {
      throw new Error(
        'This deployment keeps its ledger in PostgreSQL, which has tools of its own: see docs/backups.md.',
      )
    }
    if (!existsSync(config.dataDir)) {
      throw new Error(`There is nothing in ${config.dataDir}. SEATWISE_DATA_DIR names the folder of the sale.`)
    }
    const { until, files } = await copy(config, resolve(folder))
    console.log(`${folder} holds everything until ${until}: ${files.length} files, ${explainSize(files)}.`)
    return 0
  },
}

async function copy(config: Config, folder: string): Promise<BackupFacts> {
  try {
    const ledger = await openConfiguredLedger(config)
    try {
      return await makeBackup(ledger, { dataDir: config.dataDir, folder, version: VERSION })
    } finally {
      await ledger.close()
    }
  } catch (error) {
    if (!(error instanceof LedgerLocked)) throw error
    const server = await connectToRunningServer(error.folder)
    if (server === undefined) throw error
    return await server.backup(folder)
  }
}

import { resolve } from 'node:path'
import { restoreBackup } from '@seatwise/ledger'
import { readConfig } from '@seatwise/server'
import { type Command, readFolder } from '../command.ts'

export const restore: Command = {
  name: 'restore',
  summary: 'fills an empty data folder from a backup',
  help: [
    'seatwise restore DIR',
    '',
    'Fills the data folder (SEATWISE_DATA_DIR) from a backup that "seatwise backup" made, after checking that all of its',
    'files are there and unchanged. The data folder must be empty; otherwise nothing is done and the exit code is 1. The',
    'next start continues the sale: every room begins a new epoch, which its log says, and visitors who joined after the backup are',
    'back at their places if they still have their tokens. Then run "seatwise reconcile": payments that were made after',
    'the backup are known to the provider only.',
  ].join('\n'),
  async run(args) {
    const folder = readFolder(args)
    const config = readConfig()
    if (config.databaseUrl !== null) {
      throw new Error(
        'This deployment keeps its ledger in PostgreSQL, which has tools of its own: see docs/backups.md.',
      )
    }
    const { until, version, rooms } = await restoreBackup(resolve(folder), config.dataDir)
    console.log(`${config.dataDir} holds what version ${version} acknowledged until ${until}.`)
    console.log(`${rooms} rooms continue in a new epoch at the next start. Then run "seatwise reconcile".`)
    return 0
  },
}

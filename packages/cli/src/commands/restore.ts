import { resolve } from 'node:path'
import { restoreBackup, resumeRestored } from '@seatwise/ledger'
import { type Config, openConfiguredLedger, readConfig } from '@seatwise/server'
import { type Command, readFolder, UsedWrongly } from '../command.ts'

const DATABASE = '--database'

export const restore: Command = {
  name: 'restore',
  summary: 'fills an empty data folder from a backup, or goes on after PostgreSQL was restored',
  help: [
    'seatwise restore DIR',
    `seatwise restore ${DATABASE}`,
    '',
    'Fills the data folder (SEATWISE_DATA_DIR) from a backup that "seatwise backup" made, after checking that all of its',
    'files are there and unchanged. The data folder must be empty; otherwise nothing is done and the exit code is 1. The',
    'next start continues the sale: every room begins a new epoch, which its log says, and visitors who joined after the backup are',
    'back at their places if they still have their tokens. Then run "seatwise reconcile": payments that were made after',
    'the backup are known to the provider only.',
    '',
    `  ${DATABASE}   for a ledger in PostgreSQL that its own tools took back to an earlier time: makes every room begin such an`,
    '               epoch, so that what Redis still knows is replaced. Before the first server starts; see docs/backups.md.',
  ].join('\n'),
  async run(args) {
    const config = readConfig()
    if (args[0] === DATABASE) return await resume(config, args)
    const folder = readFolder(args)
    if (config.databaseUrl !== null) {
      throw new Error(
        `This deployment keeps its ledger in PostgreSQL, which has tools of its own: see docs/backups.md, and ${DATABASE}.`,
      )
    }
    const { until, version, rooms } = await restoreBackup(resolve(folder), config.dataDir)
    console.log(`${config.dataDir} holds what version ${version} acknowledged until ${until}.`)
    console.log(`${rooms} rooms continue in a new epoch at the next start. Then run "seatwise reconcile".`)
    return 0
  },
}

async function resume(config: Config, args: readonly string[]): Promise<number> {
  if (args.length > 1) throw new UsedWrongly(`${DATABASE} takes nothing else.`)
  if (config.databaseUrl === null) {
    throw new Error(
      `${DATABASE} is for a ledger in PostgreSQL: set DATABASE_URL. Otherwise name the folder of a backup.`,
    )
  }
  const ledger = await openConfiguredLedger(config)
  try {
    const { rooms } = await resumeRestored(ledger)
    console.log(`${rooms} rooms continue in a new epoch at the next start. Then run "seatwise reconcile".`)
    return 0
  } finally {
    await ledger.close()
  }
}

import { copyFile, mkdir, rename, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import {
  connectedPrograms,
  type Ledger,
  loadStatement,
  migrate,
  newestMigration,
  openLedger,
  runStatement,
  type Schema,
} from '../engine/index.ts'
import { type BackupFacts, describeFile, isEmptyFolder, readFacts } from './backup-files.ts'

/** More starts than a server has between two backups: no epoch that began since then comes again. */
const EPOCHS_SKIPPED = 100
/** As after a loss of Redis: no number that was drawn since then is given out again. */
const UNSEEN_MAX = 1_000_000
const REASON = 'restored'
/** Filled first, so that an interrupted restore leaves nothing that a server would open. */
const DRAFT = 'restoring'

/**
 * Fills an empty data folder from a backup whose files are all there and unchanged. Every room begins a later epoch, so that
 * tokens, passes and log entries from after the backup are not taken for new ones.
 */
export async function restoreBackup(folder: string, dataDir: string): Promise<BackupFacts & { rooms: number }> {
  const facts = await readFacts(folder)
  const needed = newestMigration()
  if (facts.schemaVersion > needed) {
    throw new Error(
      `The backup has schema ${facts.schemaVersion}; this program knows ${needed}. Use the newer program.`,
    )
  }
  if (!(await isEmptyFolder(dataDir)))
    throw new Error(`${dataDir} is not empty. A backup is restored into a new folder.`)
  await refuseDamage(folder, facts)
  const draft = join(dataDir, DRAFT)
  for (const path of ['', ...facts.folders]) await mkdir(join(draft, path), { recursive: true, mode: 0o700 })
  for (const { path } of facts.files) await copyFile(join(folder, path), join(draft, path))
  await putInPlace(draft, dataDir, facts)
  return { ...facts, rooms: await beginEpochs(dataDir) }
}

/**
 * After PostgreSQL itself went back to an earlier time: every room begins a later epoch, so that neither a line that knows more
 * than the ledger nor tokens and passes from after that time are taken for true.
 */
export async function resumeRestored(ledger: Ledger): Promise<{ rooms: number }> {
  if ((await connectedPrograms(ledger.db)).length > 0) {
    throw new Error('Programs are connected to this database: stop all Seatwise servers, then run this again.')
  }
  await migrate(ledger)
  return { rooms: await beginRestoredEpochs(ledger) }
}

/** Whether the epoch that a room has in the ledger began with a restore. */
export async function wasRestored(db: Kysely<Schema>, room: string, epoch: number): Promise<boolean> {
  const row = await db
    .selectFrom('room_epochs')
    .select('reason')
    .where('room_id', '=', room)
    .where('epoch', '=', epoch)
    .executeTakeFirst()
  return row?.reason === REASON
}

async function refuseDamage(folder: string, facts: BackupFacts): Promise<void> {
  for (const file of facts.files) {
    const found = await describeFile(folder, file.path).catch((cause: unknown) => {
      throw new Error(`The backup is damaged: ${file.path} cannot be read.`, { cause })
    })
    if (found.sha256 !== file.sha256) throw new Error(`The backup is damaged: ${file.path} was changed.`)
  }
}

/** The ledger last: without it a folder is no ledger's. */
async function putInPlace(draft: string, dataDir: string, facts: BackupFacts): Promise<void> {
  const names = new Set(facts.files.map(({ path }) => path.split('/', 1)[0] ?? path))
  for (const name of [...names].filter((found) => found !== 'ledger'))
    await rename(join(draft, name), join(dataDir, name))
  await rename(join(draft, 'ledger'), join(dataDir, 'ledger'))
  await rmdir(draft)
}

async function beginEpochs(dataDir: string): Promise<number> {
  const ledger = await openLedger({ kind: 'pglite', dataDir })
  try {
    await migrate(ledger)
    return await beginRestoredEpochs(ledger)
  } finally {
    await ledger.close()
  }
}

async function beginRestoredEpochs({ db }: Ledger): Promise<number> {
  return (await runStatement(db, BEGIN_RESTORED_EPOCHS, [EPOCHS_SKIPPED, UNSEEN_MAX])).length
}

const BEGIN_RESTORED_EPOCHS = loadStatement(import.meta.url, 'begin-restored-epochs.sql')

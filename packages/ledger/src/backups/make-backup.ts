import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Ledger, schemaVersions, writePrivateFile } from '../engine/index.ts'
import { type BackupFacts, FACTS_FILE, FORMAT, isEmptyFolder, listFiles, listFolders } from './backup-files.ts'

export type { BackupFacts } from './backup-files.ts'

export interface BackupRequest {
  readonly dataDir: string
  /** Where the backup goes: a folder that is empty or does not exist. */
  readonly folder: string
  readonly version: string
}

/** What belongs to the process that has the data folder open, not to the sale. */
const OF_THE_PROCESS = new Set(['ledger', 'ledger.new', 'lock.db', 'lock.json', 'server.json', 'readiness-probe'])

/**
 * Copies a data folder whose ledger this process has open. The ledger comes first, between two of its requests; what lies
 * beside it only gains files, so the copy has at least what the ledger knows of.
 */
export async function makeBackup(ledger: Ledger, { dataDir, folder, version }: BackupRequest): Promise<BackupFacts> {
  if (!(await isEmptyFolder(folder))) throw new Error(`${folder} is not empty. Name a new folder for the backup.`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { present } = await schemaVersions(ledger)
  const until = await ledger.copyTo(join(folder, 'ledger'))
  for (const name of await readdir(dataDir)) {
    if (!OF_THE_PROCESS.has(name)) await copyAll(join(dataDir, name), join(folder, name))
  }
  const [files, folders] = [await listFiles(folder), await listFolders(folder)]
  const facts = { format: FORMAT, version, schemaVersion: present, until: until.toISOString(), files, folders }
  await writePrivateFile(join(folder, FACTS_FILE), `${JSON.stringify(facts, null, 1)}\n`)
  return facts
}

/** A file that was renamed or removed meanwhile was a draft of another one. */
async function copyAll(from: string, to: string): Promise<void> {
  try {
    const names = await readdir(from)
    await mkdir(to, { recursive: true, mode: 0o700 })
    for (const name of names) await copyAll(join(from, name), join(to, name))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    if (!hasCode(error, 'ENOTDIR')) throw error
    await copyFile(from, to).catch((thrown: unknown) => {
      if (!hasCode(thrown, 'ENOENT')) throw thrown
    })
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Holder, LedgerLocked } from '../ledger-errors.ts'
import { writePrivateFile } from '../private-file.ts'

/** A data folder that this process alone may use until it releases it or ends, in whatever way it ends. */
export interface FolderLock {
  release(): Promise<void>
}

const SQLITE_BUSY = 5

/**
 * Takes the exclusive lock on a data folder, which is made when it is missing.
 *
 * Node has no call for file locks, but its SQLite has one inside: an exclusive transaction that stays open holds a
 * lock of the operating system on `lock.db`. The system drops it when the process ends, also by kill -9, and keeps it
 * while the process is only stopped. A lock *file* can do neither. Nothing else in this process may open `lock.db`:
 * closing it would drop the lock. Network file systems that do not keep locks between machines are not supported.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const holderPath = join(folder, 'lock.json')
  const database = new DatabaseSync(join(folder, 'lock.db'))
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    database.close()
    if (!isBusy(error)) throw error
    throw new LedgerLocked(folder, await readHolder(holderPath), { cause: error })
  }
  const holder: Holder = { pid: process.pid, since: new Date().toISOString() }
  await writePrivateFile(holderPath, JSON.stringify(holder))
  return {
    async release() {
      await rm(holderPath, { force: true })
      database.close()
    },
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}

/** Undefined in the moment between taking the lock and saying so. The file decides nothing, it only informs. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

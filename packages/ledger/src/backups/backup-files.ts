import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Written last: a folder without it is no backup, or one that was interrupted. */
export const FACTS_FILE = 'backup.json'
export const FORMAT = 1

/** One file of a backup, by its path in the folder. */
export interface BackupFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** What a backup says of itself. */
export interface BackupFacts {
  readonly format: number
  /** Of the program that made it. */
  readonly version: string
  readonly schemaVersion: number
  /** Everything that was acknowledged before this time is in it. */
  readonly until: string
  readonly files: readonly BackupFile[]
  /** PostgreSQL wants its empty ones too. */
  readonly folders: readonly string[]
}

/** Reads every file once: its hash, and that it is on the disk. */
export async function listFiles(folder: string): Promise<BackupFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files: BackupFile[] = []
  for (const path of paths.toSorted()) files.push(await describeFile(folder, path.slice(folder.length + 1)))
  return files
}

export async function listFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
}

export async function describeFile(folder: string, path: string): Promise<BackupFile> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(join(folder, path)), hash)
  const file = await open(join(folder, path), 'r')
  try {
    await file.sync()
    return { path, bytes: (await file.stat()).size, sha256: hash.digest('hex') }
  } finally {
    await file.close()
  }
}

export async function readFacts(folder: string): Promise<BackupFacts> {
  let facts: BackupFacts
  try {
    facts = JSON.parse(await readFile(join(folder, FACTS_FILE), 'utf8')) as BackupFacts
  } catch (cause) {
    throw new Error(`${folder} is no complete backup: ${FACTS_FILE}, which is written last, cannot be read.`, { cause })
  }
  if (facts.format !== FORMAT)
    throw new Error(`${folder} has format ${facts.format}; this program knows format ${FORMAT}.`)
  return facts
}

/** Whether nothing lies in a folder, or there is no such folder. */
export async function isEmptyFolder(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true
    throw error
  }
}

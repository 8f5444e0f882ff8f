import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateFile } from '../engine/index.ts'

/** How a command-line tool finds the server that has the data folder open, and proves that it may read the folder. */
export interface ServerFile {
  readonly pid: number
  readonly port: number
  readonly secret: string
}

export async function writeServerFile(dataDir: string, file: ServerFile): Promise<void> {
  await writePrivateFile(pathIn(dataDir), JSON.stringify(file))
}

export async function removeServerFile(dataDir: string): Promise<void> {
  await rm(pathIn(dataDir), { force: true })
}

/** Undefined when no server wrote one. A server that was killed leaves its file behind. */
export async function readServerFile(dataDir: string): Promise<ServerFile | undefined> {
  try {
    return JSON.parse(await readFile(pathIn(dataDir), 'utf8')) as ServerFile
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'server.json')
}

import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateFile } from '../engine/index.ts'

/** A data folder with this file sells no more: two deployments would sell the same seats. */
const FILE = 'moved.json'

/** Where a data folder was moved, or is being moved. */
export interface Move {
  readonly id: string
  /** Host and database; never the credentials. */
  readonly to: string
  readonly begunAt: string
  /** Null while it is under way, and after it was interrupted. */
  readonly finishedAt: string | null
}

export async function readMove(dataDir: string): Promise<Move | null> {
  try {
    return JSON.parse(await readFile(join(dataDir, FILE), 'utf8')) as Move
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Written before anything is copied: from then on it is not known which of the two places has the sale. */
export async function noteMove(dataDir: string, move: Move): Promise<void> {
  await writePrivateFile(join(dataDir, FILE), `${JSON.stringify(move, null, 2)}\n`)
}

export async function finishMove(dataDir: string, move: Move): Promise<void> {
  await noteMove(dataDir, { ...move, finishedAt: new Date().toISOString() })
}

/** Only after a move that certainly did nothing. */
export async function forgetMove(dataDir: string): Promise<void> {
  await rm(join(dataDir, FILE))
}

/** Throws when the sale of this data folder is elsewhere, or may be. */
export async function refuseMoved(dataDir: string): Promise<void> {
  const move = await readMove(dataDir)
  if (move === null) return
  if (move.finishedAt !== null) {
    throw new Error(
      `What was in ${dataDir} was moved to ${move.to} at ${move.finishedAt}: start with that DATABASE_URL. ` +
        `To sell from this folder again as it was then, delete ${FILE} in it.`,
    )
  }
  throw new Error(
    `Moving ${dataDir} to ${move.to} began at ${move.begunAt} and did not end. Run "seatwise move" again; ` +
      `or, if no sale is there, delete ${FILE} in the folder.`,
  )
}

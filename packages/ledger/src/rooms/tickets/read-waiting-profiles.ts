import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

/** So few that reading them takes milliseconds. */
const CHUNK_NUMBERS = 2_000

export interface WaitingProfile {
  readonly number: number
  readonly name: string | null
  readonly avatar: string | null
}

/** The names of the next waiting tickets after a number, by number; none when there are no more. */
export async function readWaitingProfiles(db: Kysely<Schema>, room: string, after: number): Promise<WaitingProfile[]> {
  return await runStatement<WaitingProfile>(db, READ_WAITING_PROFILES, [room, after, CHUNK_NUMBERS])
}

const READ_WAITING_PROFILES = loadStatement(import.meta.url, 'read-waiting-profiles.sql')

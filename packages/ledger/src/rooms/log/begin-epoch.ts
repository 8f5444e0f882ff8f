import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

export interface BeginEpoch {
  readonly room: string
  /** The epoch that was found lost; 0 for a room that never had one. */
  readonly lostEpoch: number
  readonly reason: string
  /** How many tickets the lost log could have held that the ledger never saw; their numbers are not given out again. */
  readonly unseenMax: number
}

export type BeginReply =
  | { status: 'begun'; epoch: number; nextNumber: number }
  /** Another server has begun a newer epoch already. */
  | { status: 'other-epoch'; epoch: number }

/**
 * Ends an epoch of a room's line and begins the next. From here on nothing of the ended one is accepted by the ledger,
 * and what it knew of it is final.
 */
export async function beginEpoch(db: Kysely<Schema>, options: BeginEpoch): Promise<BeginReply> {
  const { room, lostEpoch, reason, unseenMax } = options
  return await db.transaction().execute(async (transaction) => {
    const [row] = await runStatement<{ epoch: number }>(transaction, LOCK_ROOM, [room, 'on'])
    if (row === undefined) throw new Error(`The ledger has no room ${room}`)
    if (row.epoch !== lostEpoch) return { status: 'other-epoch', epoch: row.epoch }
    const [begun] = await runStatement<{ epoch: number; first_number: number }>(transaction, BEGIN_EPOCH, [
      room,
      reason,
      unseenMax,
    ])
    if (begun === undefined) throw new Error(`The epoch of room ${room} could not be raised`)
    return { status: 'begun', epoch: begun.epoch, nextNumber: begun.first_number }
  })
}

const LOCK_ROOM = loadStatement(import.meta.url, 'lock-room.sql')
const BEGIN_EPOCH = loadStatement(import.meta.url, 'begin-epoch.sql')

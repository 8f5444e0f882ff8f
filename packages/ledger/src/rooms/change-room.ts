import type { RoomSettings } from '@seatwise/domain'
import type { Kysely, Transaction } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'
import { recordAction } from '../trail/index.ts'
import { type RoomRow, readRoom } from './read-room.ts'

export interface RoomEdit {
  readonly settings?: Partial<RoomSettings>
  readonly paused?: boolean
  readonly message?: string | null
}

/** The operator who changes a room, and the earlier change that this undoes, if any. */
export interface RoomEditor {
  readonly id: string
  readonly undoes?: number
}

/**
 * Writes what an operator changed, so that it survives the line, and notes it in the trail with the former values. What
 * is not given stays as it is.
 */
export async function changeRoom(
  db: Kysely<Schema>,
  room: string,
  edit: RoomEdit,
  editor: RoomEditor,
): Promise<RoomRow> {
  return await db.transaction().execute(async (transaction) => {
    // Concurrent changes of the room run one after the other, so that each trail entry has the values right before it.
    await transaction.selectFrom('rooms').select('id').where('id', '=', room).forNoKeyUpdate().execute()
    const before = await requireRoom(transaction, room)
    await runStatement(transaction, CHANGE_ROOM, [
      room,
      JSON.stringify(edit.settings ?? {}),
      edit.paused ?? null,
      edit.message !== undefined,
      edit.message ?? null,
    ])
    const after = await requireRoom(transaction, room)
    await noteChange(transaction, { before, after, edit, editor })
    return after
  })
}

async function noteChange(
  transaction: Transaction<Schema>,
  change: { before: RoomRow; after: RoomRow; edit: RoomEdit; editor: RoomEditor },
): Promise<void> {
  const { before, after, edit, editor } = change
  const named = [...Object.keys(edit.settings ?? {}), ...Object.keys(edit).filter((name) => name !== 'settings')]
  // Nothing was asked for: the room's event changed, which is noted there.
  if (named.length === 0) return
  const pick = ({ settings, paused, message }: RoomRow) => {
    const all: Record<string, unknown> = { ...settings, paused, message }
    return Object.fromEntries(named.map((name) => [name, all[name]]))
  }
  const { id: roomId, eventId } = after
  const values = { before: pick(before), after: pick(after) }
  const undoing = editor.undoes === undefined ? {} : { undoes: editor.undoes }
  await recordAction(transaction, { actorId: editor.id, kind: 'room.changed', eventId, roomId, ...values, ...undoing })
}

async function requireRoom(db: Kysely<Schema>, room: string): Promise<RoomRow> {
  const row = await readRoom(db, { roomId: room })
  if (row === null) throw new Error(`The ledger has no room ${room}`)
  return row
}

const CHANGE_ROOM = loadStatement(import.meta.url, 'change-room.sql')

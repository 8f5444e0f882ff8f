import { badField, type RoomSettings, readStart, requireText, SeatwiseError } from '@seatwise/domain'
import { type RoomFacts, readRooms, renameRoom } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import { windowOf } from '../rebuild-room.ts'
import type { Room } from '../room.ts'
import type { RoomServices } from '../room-services.ts'
import { readSchedule, requireMessage, requireTarget, type Schedule } from './create-room.ts'

export interface RoomEdit {
  readonly facts: {
    readonly name?: string
    readonly target?: string
    readonly opensAt?: string | null
    readonly closesAt?: string | null
  }
  readonly change: {
    readonly settings: Partial<RoomSettings>
    readonly paused?: boolean
    readonly message?: string | null
  }
}

/** The whole edit is validated before any of it is applied. */
export async function changeOwnRoom(
  { ledger, rooms }: Pick<RoomServices, 'ledger' | 'rooms'>,
  id: string,
  { facts, change }: RoomEdit,
  actor: Actor,
): Promise<RoomFacts> {
  const room = await rooms.byId(id)
  const { name, target } = facts
  const schedule = scheduleOf(room, facts, change.settings)
  const renamed = {
    ...(name === undefined ? {} : { name: requireText('name', name) }),
    ...(target === undefined ? {} : { target: requireTarget(target) }),
  }
  const message = change.message === undefined ? {} : { message: requireMessage(change.message) }
  if (Object.keys(renamed).length > 0 && room.row.eventId !== null) {
    throw badField('name', 'is the event’s: edit the event')
  }
  // What only the line can allow, it decides first.
  if (schedule?.opensAt != null) await room.moveStart(schedule.opensAt, actor.id)
  if (Object.keys(renamed).length > 0 || schedule !== null) {
    await renameRoom(ledger.db, room.id, { ...renamed, ...schedule }, actor.id)
  }
  if (schedule !== null) await room.change({ by: actor.id, ...windowOf(schedule) })
  const { settings, paused } = change
  if (Object.keys(settings).length > 0 || paused !== undefined || change.message !== undefined) {
    await room.change({ by: actor.id, settings, ...(paused === undefined ? {} : { paused }), ...message })
  }
  const [changed] = await readRooms(ledger.db, [room.id])
  if (changed === undefined) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such room' })
  return changed
}

/** The schedule after the edit; null when it stays. A pre-queue or a draw needs a line that opens. */
function scheduleOf({ row }: Room, facts: RoomEdit['facts'], settings: Partial<RoomSettings>): Schedule | null {
  if (facts.opensAt === undefined && facts.closesAt === undefined) return null
  if (row.eventId !== null) throw badField('opensAt', 'is the event’s: edit the event')
  const { opensAt = iso(row.opensAt), closesAt = iso(row.closesAt) } = facts
  const schedule = readSchedule({ opensAt, closesAt })
  readStart({ ...row.settings, ...settings }, { salesStartAt: schedule.opensAt, presaleStartAt: null })
  return schedule
}

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

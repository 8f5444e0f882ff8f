import { badField, type RoomSettings, requireText, SeatwiseError } from '@seatwise/domain'
import { type RoomFacts, readRooms, renameRoom } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import type { RoomServices } from '../room-services.ts'
import { requireMessage, requireTarget } from './create-room.ts'

export interface RoomEdit {
  readonly facts: { readonly name?: string; readonly target?: string }
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
  const renamed = {
    ...(name === undefined ? {} : { name: requireText('name', name) }),
    ...(target === undefined ? {} : { target: requireTarget(target) }),
  }
  const message = change.message === undefined ? {} : { message: requireMessage(change.message) }
  if (Object.keys(renamed).length > 0) {
    if (room.row.eventId !== null) throw badField('name', 'is the event’s: edit the event')
    await renameRoom(ledger.db, room.id, renamed, actor.id)
  }
  const { settings, paused } = change
  if (Object.keys(settings).length > 0 || paused !== undefined || change.message !== undefined) {
    await room.change({ by: actor.id, settings, ...(paused === undefined ? {} : { paused }), ...message })
  }
  const [changed] = await readRooms(ledger.db, [room.id])
  if (changed === undefined) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such room' })
  return changed
}

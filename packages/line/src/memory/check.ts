import type { PassQuestion, PassReply } from '../contract.ts'
import type { Room } from './room.ts'

/** Whether a pass counts: its ticket is on the floor under the same fence, and its time is not over. Rule M20. */
export function check(room: Room, { number, fence }: PassQuestion): PassReply {
  const ticket = room.tickets.get(number)
  const floor = ticket?.floor ?? null
  if (ticket === undefined || floor === null || floor.fence !== fence || floor.deadline <= room.now) {
    return { status: 'stale', seq: room.seq }
  }
  const { identity, generation } = ticket
  const { deadline, reserved } = floor
  return { status: 'counts', number, identity, generation, deadline, reserved, seq: room.seq }
}

import type { PassQuestion, PassReply } from '../../contract.ts'
import type { Room } from '../state/room.ts'
import type { FloorRecord, Ticket } from '../state/ticket.ts'
import { peopleOf } from '../tickets/group.ts'

/** Whether a pass is valid: its ticket is on the floor under the same fence, before its deadline. Rule M20. */
export function check(room: Room, { number, fence }: PassQuestion): PassReply {
  const holder = passHolder(room, { number, fence })
  if (holder === null) {
    const ticket = room.tickets.get(number) ?? room.ended.get(number)?.ticket
    return { status: 'stale', state: ticket?.state ?? null, seq: room.seq }
  }
  const { identity, generation } = holder.ticket
  const { deadline, reservedSeats } = holder.floor
  const { companions } = holder.ticket
  const people = companions.length === 0 ? {} : { people: peopleOf(holder.ticket).map((own) => own.identity) }
  return { status: 'counts', number, identity, generation, deadline, reservedSeats, seq: room.seq, ...people }
}

/** The ticket on the floor that a pass belongs to; null when the pass is not valid. */
export function passHolder(room: Room, { number, fence }: PassQuestion): { ticket: Ticket; floor: FloorRecord } | null {
  const ticket = room.tickets.get(number)
  const floor = ticket?.floor ?? null
  if (ticket === undefined || floor === null || floor.fence !== fence || floor.deadline <= room.now) return null
  return { ticket, floor }
}

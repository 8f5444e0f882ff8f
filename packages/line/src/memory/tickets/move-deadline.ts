import type { Room } from '../state/room.ts'
import type { FloorRecord } from '../state/ticket.ts'

/** Gives a ticket on the floor another deadline; the caller logs it. */
export function moveDeadline(room: Room, number: number, record: FloorRecord, deadline: number): void {
  room.floor.remove(record.deadline, number)
  record.deadline = deadline
  room.floor.insert(deadline, number)
}

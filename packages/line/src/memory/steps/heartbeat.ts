import type { Room } from '../state/room.ts'
import { expireIfOverdue } from '../tickets/expire-overdue.ts'
import { seeTicket } from '../tickets/see-ticket.ts'

const OPERATION = 'heartbeat'

/** Marks waiting tickets as seen; returns those that came back from being away. Rules L15–L17. */
export function heartbeat(room: Room, numbers: readonly number[]): { back: number[] } {
  const back: number[] = []
  for (const number of numbers) {
    const ticket = room.tickets.get(number)
    if (ticket?.state !== 'waiting') continue
    expireIfOverdue(room, ticket, OPERATION)
    if (room.tickets.has(number) && seeTicket(room, ticket, OPERATION)) back.push(number)
  }
  return { back }
}

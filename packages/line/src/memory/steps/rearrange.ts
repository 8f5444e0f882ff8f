import type { DrawnPlace } from '../../contract.ts'
import type { Room } from '../state/room.ts'

/** Gives drawn tickets their places; tickets that have ended since keep none. Rule J7. */
export function rearrange(room: Room, places: readonly DrawnPlace[]): void {
  if (room.draw?.progress !== 'sealed') return
  for (const { number, place } of places) {
    const ticket = room.tickets.get(number)
    if (ticket?.state !== 'waiting') continue
    const from = ticket.away ? room.away : room.line
    from.remove(ticket.place, number)
    ticket.place = place
    from.insert(place, number)
  }
}

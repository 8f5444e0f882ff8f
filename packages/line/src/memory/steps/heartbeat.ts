import { NUMBERS_MAX } from '@seatwise/domain'
import { seenUnit } from '../rules/presence.ts'
import { append, type Room } from '../state/room.ts'
import { bringBack } from '../tickets/see-ticket.ts'

/** Marks waiting tickets as seen; returns those that came back from being away. Rules L15 and L16. */
export function heartbeat(room: Room, numbers: readonly number[]): { back: number[] } {
  const back: number[] = []
  let together: { numbers: number[]; ranks: number[] } = { numbers: [], ranks: [] }
  function log(): void {
    if (together.numbers.length > 0) append(room, 'heartbeat', { kind: 'back', ...together })
    together = { numbers: [], ranks: [] }
  }
  for (const number of numbers) {
    const ticket = room.tickets.get(number) ?? room.companions.get(number)?.standsWith
    if (ticket?.state !== 'waiting') continue
    if (ticket.away) {
      together.ranks.push(bringBack(room, ticket))
      together.numbers.push(ticket.number)
      back.push(ticket.number)
      if (together.numbers.length === NUMBERS_MAX) log()
    } else ticket.seen = seenUnit(room)
  }
  log()
  return { back }
}

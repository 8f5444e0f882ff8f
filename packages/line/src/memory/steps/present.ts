import type { PresentPage } from '../../contract.ts'
import type { Room } from '../state/room.ts'

const PAGE_TICKETS = 2_048
/** As on Redis, where each generation is one character of a text. */
const GENERATION_MAX = 127

/** Which tickets wait and are present, a page of their numbers. Rule L70. */
export function readPresent(room: Room, fromNumber: number): PresentPage {
  const end = Math.min(room.nextNumber, fromNumber + PAGE_TICKETS)
  const generations = new Uint8Array(Math.max(0, end - fromNumber))
  const places = room.draw?.progress === 'revealed' ? new Array<number>(generations.length).fill(0) : null
  for (let number = fromNumber; number < end; number++) {
    const ticket = room.tickets.get(number)
    const isPresent =
      ticket?.state === 'waiting' && !ticket.away && ticket.class === 0 && ticket.companions.length === 0
    if (!isPresent || ticket.generation > GENERATION_MAX) continue
    generations[number - fromNumber] = ticket.generation
    if (places !== null) places[number - fromNumber] = ticket.place
  }
  return { runs: [{ first: fromNumber, generations, places }], next: end < room.nextNumber ? end : null, seq: room.seq }
}

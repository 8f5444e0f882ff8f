import type { Revealing } from '../../contract.ts'
import { append, type Room } from '../state/room.ts'

/** The drawn order counts from here on, and later tickets of a class stand behind the drawn ones of it. Rule J8. */
export function reveal(room: Room, { secret, signature, lastPlaces }: Revealing): { seq: number } {
  if (room.draw?.progress !== 'sealed') return { seq: room.seq }
  room.draw.progress = 'revealed'
  // Class 0 takes its own number, which is behind all of them.
  for (const ticketClass of [1, 2, 3] as const) room.lastPlaces[ticketClass] = lastPlaces[ticketClass]
  append(room, 'reveal', { kind: 'revealed', secret, ...(signature === undefined ? {} : { signature }) })
  return { seq: room.seq }
}

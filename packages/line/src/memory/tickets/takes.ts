import { withSums } from '../rules/floor-sums.ts'
import type { Room, Take } from '../state/room.ts'

/** Replaces the takes of a ticket. */
export function setTakes(room: Room, number: number, takes: readonly Take[]): void {
  withSums(room, number, () => {
    const before = room.takes.get(number)
    if (before !== undefined) room.takeEnds.remove(firstEnd(before), number)
    room.takes.delete(number)
    if (takes.length === 0) return
    room.takes.set(number, takes)
    room.takeEnds.insert(firstEnd(takes), number)
  })
}

/** Drops takes that were not settled in time, of at most `max` tickets; returns the number of tickets. Rule M23. */
export function returnTakes(room: Room, max: number): number {
  for (let returned = 0; returned < max; returned++) {
    const first = room.takeEnds.first()
    if (first === undefined || first.score > room.now) return returned
    const takes = room.takes.get(first.number) ?? []
    setTakes(
      room,
      first.number,
      takes.filter(({ endsAt }) => endsAt > room.now),
    )
  }
  return max
}

function firstEnd(takes: readonly Take[]): number {
  return Math.min(...takes.map(({ endsAt }) => endsAt))
}

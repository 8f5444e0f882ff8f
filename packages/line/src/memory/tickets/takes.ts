import { withSums } from '../rules/floor-sums.ts'
import type { Room, Take } from '../state/room.ts'

/** Replaces what a ticket has taken. */
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

/** Gives back what nobody settled in time, of at most `max` tickets; returns of how many. Rule M23. */
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

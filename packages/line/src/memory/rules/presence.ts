import type { Room } from '../state/room.ts'

/**
 * When a ticket was last seen, in tenths of a second since the room was loaded, plus one: small enough for 32 bits over
 * thirteen years. 0 means not seen since the load, and counts as seen at the load, so that a rebuild makes no ticket absent. Rules L15, L26.
 */
export function seenUnit(room: Pick<Room, 'now' | 'loadedAt'>, at: number = room.now): number {
  return Math.floor((at - room.loadedAt) / UNIT_MS) + 1
}

/**
 * Since when servers have taken heartbeats without a gap. Each sweep is a server's word that it does; a longer time without
 * one means that no server did, and then every ticket counts as seen when that time ended. Rule L62.
 */
export function attendedSince(room: Room): number {
  return room.now - room.attendedAt > UNATTENDED_MS ? room.now : room.attendedSince
}

/**
 * A ticket that was last seen before this unit has been silent for longer than so many seconds; null: no ticket has, because
 * servers have not taken heartbeats for that long.
 */
export function silentBefore(room: Room, seconds: number): number | null {
  const before = seenUnit(room) - seconds * UNITS_PER_SECOND
  return seenUnit(room, attendedSince(room)) < before ? before : null
}

/** Present means seen within the timeout, its last tenth of a second included. */
export function isPresent(room: Room, seen: number): boolean {
  const before = silentBefore(room, room.settings.heartbeatTimeoutSeconds)
  return before === null || Math.max(seen, 1) >= before
}

const UNIT_MS = 100
const UNITS_PER_SECOND = 10
const UNATTENDED_MS = 3_000

import type { Room } from '../state/room.ts'

/**
 * The ledger has the log up to a seq: forgets the entries before it, except for the last `keep`, and the tickets that
 * ended up to there. Rules L22 and M19.
 */
export function trim(room: Room, upToSeq: number, keep: number): void {
  const until = Math.min(upToSeq, room.seq)
  // Also after another caller's newer news: this one may keep less.
  const keptFrom = Math.max(room.keptFrom, until - keep)
  room.log.splice(0, keptFrom - room.keptFrom)
  room.keptFrom = keptFrom
  if (until <= room.followedSeq) return
  room.followedSeq = until
  room.unfollowedSince = until === room.seq ? null : room.now
  for (const [number, { ticket, seq }] of room.ended) {
    if (seq > until) return
    room.ended.delete(number)
    if (room.endedIdentities.get(ticket.identity) === number) room.endedIdentities.delete(ticket.identity)
  }
}

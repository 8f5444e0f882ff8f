import type { Sweep, SweepLimit } from '../../src/index.ts'
import type { ModelRoom } from './model-room.ts'
import { by, isAway, isWaiting, type ModelTicket } from './model-ticket.ts'

/** Without a sweep for longer than this, no server took heartbeats. */
const GAP_MS = 3_000

/** Whether a ticket has been silent for longer than this, in whole tenths of a second, while servers took heartbeats. */
export function isSilent(room: ModelRoom, ticket: ModelTicket, seconds: number): boolean {
  if (room.now - room.attendedAt > GAP_MS) return false
  const tenths = (time: number) => Math.floor((time - room.loadedAt) / 100)
  return tenths(room.now) - tenths(Math.max(ticket.seenAt, room.attendedSince)) > seconds * 10
}

/** The sweep, by the rules of the specification. */
export function modelSweep(room: ModelRoom, { batch }: SweepLimit): Sweep {
  attend(room)
  const { heartbeatTimeoutSeconds, graceSeconds, awaySeconds } = room.state.settings
  let left = batch
  const some = (tickets: ModelTicket[]): ModelTicket[] => {
    const taken = tickets.slice(0, left)
    left -= taken.length
    return taken
  }
  const away = room.tickets.filter(isAway)
  const passed = away.filter(({ graceUntil, place }) => graceUntil === null && place < room.state.passedPlace)
  for (const ticket of some(passed.sort(by(({ place }) => place)))) ticket.graceUntil = room.now + graceSeconds * 1_000

  const isGraceOver = room.now > room.attendedSince + graceSeconds * 1_000
  const overdue = away.filter(({ graceUntil }) => graceUntil !== null && graceUntil < room.now && isGraceOver)
  const noShows = some(overdue.sort(by(({ graceUntil }) => graceUntil ?? 0)))

  const silent = room.tickets
    .filter((ticket) => !noShows.includes(ticket))
    .filter(
      (ticket) =>
        (isWaiting(ticket) && isSilent(room, ticket, heartbeatTimeoutSeconds)) ||
        (isAway(ticket) && isSilent(room, ticket, heartbeatTimeoutSeconds + awaySeconds)),
    )
    .sort(by(() => 0))
  const found = some(silent)
  noShows.push(...found.filter(isAway))
  room.finishAll(noShows, 'no_show', 'sweep')
  const absent = found.filter(isWaiting).sort(by(({ place }) => place))
  room.markAway(absent, 'sweep')
  return { away: absent.length, expired: noShows.length, more: left === 0, seq: room.seq }
}

function attend(room: ModelRoom): void {
  const unattendedSince = room.attendedAt
  room.attendedAt = room.now
  if (room.now - unattendedSince <= GAP_MS) return
  room.attendedSince = room.now
  if (room.tickets.some((ticket) => isWaiting(ticket) || isAway(ticket)))
    room.append('sweep', { kind: 'attended', unattendedSince })
}

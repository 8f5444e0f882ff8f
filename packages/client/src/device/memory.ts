import { bendCountdown } from '../place/countdown.ts'
import { isLive, NEXT, NEXT_REACH, type ReachEvent, type Status } from '../place/machine.ts'
import type { Position } from '../place/position.ts'
import { isNewer, mapRank, moveRank, type QueueMove, type ShownRank, tellRank } from '../place/rank.ts'
import type { Countdown, LogConflict, PlaceState, PushMessage, Reach, RiseReason, RoomNow } from '../types.ts'

/** All that this device knows of a place. Changed by `hear` alone, so that every tab that hears the same knows the same. */
export interface Memory {
  readonly status: Status
  readonly position: Position
  readonly rank: ShownRank | null
  readonly countdown: Countdown | null
  readonly room: RoomNow | null
  readonly viewers: number | null
  readonly reach: Reach
  /** Why the server does not know the ticket, once it does not. */
  readonly refusal: string
  /** How far the server's clock is ahead of ours. */
  readonly skewMs: number
  readonly logConflict?: LogConflict | undefined
}

/** What one can hear. Plain data: tabs tell it each other. */
export type News =
  | { readonly kind: 'position'; readonly position: Position; readonly skewMs: number }
  /** The answer to something this device did: true from now on, whatever was told before. */
  | { readonly kind: 'acted'; readonly change: Partial<Position> }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'room'; readonly room: RoomNow }
  | { readonly kind: 'push'; readonly message: PushMessage }
  | { readonly kind: 'reach'; readonly event: ReachEvent }
  | { readonly kind: 'log'; readonly conflict: LogConflict }

export function remember(position: Position, skewMs: number, now: number): Memory {
  const blank: Memory = {
    ...{ status: 'waiting', position, rank: null, countdown: null, room: null, viewers: null },
    ...{ reach: 'ok', refusal: '', skewMs },
  }
  return hear(blank, { kind: 'position', position, skewMs }, now)
}

/** What is known after hearing something. A place that is over hears nothing any more. */
export function hear(memory: Memory, news: News, now: number): Memory {
  if (!isLive(memory.status)) return memory
  switch (news.kind) {
    case 'position':
      return hearPosition({ ...memory, skewMs: news.skewMs }, news.position, now)
    case 'acted':
      return become(memory, { ...memory.position, ...news.change })
    case 'refused': {
      const told = news.code === 'TICKET_MOVED' ? 'moved' : 'lost'
      return { ...memory, status: NEXT[memory.status][told], refusal: news.code }
    }
    case 'room':
      return hearRoom(memory, news.room)
    case 'push':
      return hearPush(memory, news.message)
    case 'log':
      return { ...memory, logConflict: news.conflict }
    case 'reach':
      return { ...memory, reach: NEXT_REACH[memory.reach][news.event] }
  }
}

function hearPosition(memory: Memory, position: Position, now: number): Memory {
  if (!isNewer(position, memory.position)) return memory
  const { rank, exact, epoch, seq, eta } = position
  // Those who stand together have one ticket: that of the one who came last.
  const isGrouped = position.ticketId !== memory.position.ticketId
  const cause = isGrouped ? 'grouped' : riseCause(memory, eta.reason)
  return {
    ...become(memory, position),
    rank: rank === null ? memory.rank : tellRank(memory.rank, { rank, exact, epoch, seq }, cause),
    countdown: rank === null ? null : bendCountdown(memory.countdown, eta.p50 === null ? null : eta.p50 * 1000, now),
  }
}

/** The server names what slowed the line down; being passed over while away is one's own affair. */
function riseCause({ position }: Memory, reason: string | null): RiseReason | null {
  return position.away || reason === 'priority' || reason === 'returns' ? 'came_ahead' : null
}

function become(memory: Memory, position: Position): Memory {
  return { ...memory, status: NEXT[memory.status][position.status], position }
}

function hearRoom(memory: Memory, room: RoomNow): Memory {
  if (memory.room !== null && !isNewer(room, memory.room)) return memory
  const { rank, position } = memory
  return { ...memory, room, rank: rank && mapRank(rank, room, position.place) }
}

/** Hints. Those of one's own channel are as good as a poll; public ones only change what is shown. */
function hearPush(memory: Memory, message: PushMessage): Memory {
  const { position, room, rank } = memory
  // What the type promises, as the push contract has it.
  const told = message as PushMessage & Position & RoomNow & QueueMove & { text: string | null; viewers: number }
  const withRoom = (change: Partial<RoomNow>) => ({ ...memory, room: room && { ...room, ...change } })
  switch (message.type) {
    case 'QUEUE_MOVE':
      return { ...withRoom({ waiting: told.waiting }), rank: rank && moveRank(rank, told) }
    case 'SNAPSHOT':
      return hearRoom(memory, told)
    case 'OCCUPANCY':
      return { ...memory, viewers: told.viewers }
    case 'MESSAGE':
      return withRoom({ message: told.text })
    case 'SOLD_OUT':
      return withRoom({ phase: 'sold_out' })
    case 'POSITION':
      return { ...memory, rank: tellRank(rank, { ...told, rank: told.rank ?? 0, exact: true }, 'came_ahead') }
    case 'ACTIVE':
    case 'ENDED':
      // Being active needs a pass, which only an answer has.
      return told.status !== 'active' && isNewer(told, position) ? become(memory, { ...position, ...told }) : memory
    default:
      return memory
  }
}

/** What is shown of all this. */
export function show(memory: Memory): PlaceState {
  const { status, position, reach, room, viewers, refusal, logConflict } = memory
  const { ticketId, name, avatar, joinedAt, group } = position
  const known = { ticketId, name, avatar, joinedAt, group, reach, room, viewers, logConflict }
  switch (status) {
    case 'waiting':
      return { ...known, status, ...showWaiting(memory) }
    case 'admitted':
      return { ...known, status, ...showDeadline(memory) }
    case 'active': {
      const { activeToken = '', reservation = null } = position
      return { ...known, status, ...showDeadline(memory), activeToken, reservation }
    }
    case 'expired':
      return { ...known, status, reason: position.reason ?? 'timeout' }
    case 'lost':
      return { ...known, status, code: refusal }
    case 'completed':
    case 'moved':
      return { ...known, status }
  }
}

function showWaiting({ position, rank: shown, countdown, room }: Memory) {
  const { rank, exact, reason: riseReason } = shown ?? { rank: 0, exact: false, reason: null }
  const queueLength = room !== null && isNewer(room, position) ? room.waiting : position.queueLength
  return {
    ...{ away: position.away === true, rank, position: rank + 1, exact, riseReason },
    ...{ queueLength: Math.max(rank + 1, queueLength), eta: position.eta, countdown },
  }
}

function showDeadline(memory: Memory) {
  const { expiresAt = '', extended = false } = memory.position
  return { expiresAt, extended, endsAt: endsAt(memory) }
}

/** When the time on the floor ends, on this device's clock: rather early than late. NaN where nothing ends. */
export function endsAt({ position: { expiresAt = '' }, skewMs }: Memory): number {
  return Date.parse(expiresAt) - skewMs
}

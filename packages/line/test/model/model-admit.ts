import { type EndReason, fenceOf } from '@seatwise/domain'
import type { Admission, AdmitLimit } from '../../src/index.ts'
import { gateSums, overdueTakes } from './model-gate.ts'
import type { ModelRoom } from './model-room.ts'
import type { ModelTicket } from './model-ticket.ts'

const TOKEN = 60_000
const admissions = new WeakMap<ModelRoom, Map<string, Admission>>()

/** Admission, by the rules of the specification: one ticket at a time, asking everything anew each time. */
export function modelAdmit(room: ModelRoom, { batch, operation }: AdmitLimit): Admission {
  const remembered = admissions.get(room) ?? new Map<string, Admission>()
  admissions.set(room, remembered)
  const before = remembered.get(operation)
  if (before !== undefined) return before
  const seqBefore = room.seq
  const done: Pick<Admission, 'admitted' | 'ended' | 'away'> = { admitted: [], ended: [], away: [] }
  room.refill()
  let work = nextWork(room)
  for (let looked = 0; looked < batch && work !== null; looked++) {
    doWork(room, work, operation, done)
    work = nextWork(room)
  }
  const floor = room.floorTickets()
  const reply: Admission = {
    ...done,
    heldBy: reasonToHold(room),
    more: work !== null,
    waiting: room.line().length,
    floor: floor.length,
    unreserved: floor.filter(({ reservedSeats }) => reservedSeats === 0).length,
    nextAt: work !== null ? room.now : nextAt(room),
    seq: room.seq,
    now: room.now,
  }
  if (room.seq > seqBefore) remembered.set(operation, reply)
  return reply
}

type Work = { ticket: ModelTicket; expires: EndReason | null } | { returns: number }

/** The next ticket to do something about, in the order of the rules. */
function nextWork(room: ModelRoom): Work | null {
  const overdue = room.floorTickets().find(({ deadline }) => (deadline ?? 0) <= room.now)
  if (overdue !== undefined) return { ticket: overdue, expires: 'timeout' }
  const noShow = room.awayTickets().find(({ awayUntil }) => (awayUntil ?? 0) < room.now)
  if (noShow !== undefined) return { ticket: noShow, expires: 'no_show' }
  const overdueTake = overdueTakes(room)[0]
  if (overdueTake !== undefined) return { returns: overdueTake.number }
  const [head] = room.line()
  const { closesAt, settings } = room.state
  const waits = head ?? room.awayTickets()[0]
  if (waits !== undefined && room.now > closesAt) return { ticket: waits, expires: 'sale_ended' }
  if (waits !== undefined && room.soldOut && !settings.keepLineWhenSoldOut)
    return { ticket: waits, expires: 'sold_out' }
  if (head === undefined || reasonToHold(room) !== null || slots(room) <= 0 || room.level < TOKEN) return null
  return { ticket: head, expires: null }
}

function doWork(
  room: ModelRoom,
  work: Work,
  operation: string,
  done: Pick<Admission, 'admitted' | 'ended' | 'away'>,
): void {
  if ('returns' in work) {
    const returned = overdueTakes(room).filter(({ number }) => number === work.returns)
    room.takes = room.takes.filter((take) => !returned.includes(take))
    return
  }
  const { ticket, expires } = work
  const { number } = ticket
  if (expires !== null) {
    room.finish(ticket, expires, operation)
    done.ended.push({ number, reason: expires })
    return
  }
  const { claimSeconds, sessionSeconds, heartbeatTimeoutSeconds, graceSeconds } = room.state.settings
  const tenths = (time: number) => Math.floor((time - room.loadedAt) / 100)
  if (tenths(room.now) - tenths(ticket.seenAt) > heartbeatTimeoutSeconds * 10) {
    ticket.awayUntil = room.now + graceSeconds * 1_000
    room.append(operation, { kind: 'away', number, until: ticket.awayUntil })
    done.away.push(number)
    return
  }
  const active = claimSeconds === 0
  const deadline = room.now + (active ? sessionSeconds : claimSeconds) * 1_000
  const fence = fenceOf(room.epoch, room.seq + 1)
  room.level -= TOKEN
  Object.assign(ticket, { state: active ? 'active' : 'admitted', deadline, session: deadline, fence })
  ticket.seatsVersion = room.loadedVersion
  room.append(operation, { kind: 'admitted', number, class: ticket.class, fence, deadline, active })
  done.admitted.push({ number, class: ticket.class, fence, deadline, waitedMs: room.now - ticket.joinedAt })
}

function reasonToHold(room: ModelRoom): Admission['heldBy'] {
  const { paused, opensAt, closesAt, followWithinMs } = room.state
  if (paused) return 'paused'
  if (room.held !== null) return 'held'
  if (followWithinMs !== null && room.now - (room.unfollowedSince ?? room.now) > followWithinMs) return 'unfollowed'
  if (room.now < opensAt) return 'not_open'
  if (room.now > closesAt) return 'closed'
  return room.soldOut ? 'sold_out' : null
}

function slots(room: ModelRoom): number {
  const { stock, settings } = room.state
  const { taken, promised } = gateSums(room)
  const seats = stock === null || !settings.stockAware ? Number.POSITIVE_INFINITY : stock - taken - promised
  return Math.min(settings.capacity - room.floorTickets().length, seats)
}

function nextAt(room: ModelRoom): number | null {
  const { opensAt, closesAt, settings } = room.state
  const line = room.line()
  const away = room.awayTickets()
  const times = [room.floorTickets()[0]?.deadline, away[0] === undefined ? null : (away[0].awayUntil ?? 0) + 1]
  if (line.length + away.length > 0 && room.now <= closesAt) times.push(closesAt + 1)
  if (line.length > 0 && reasonToHold(room) === 'not_open' && !room.soldOut) times.push(opensAt)
  if (line.length > 0 && reasonToHold(room) === null && slots(room) > 0) {
    times.push(room.now + Math.ceil((TOKEN - room.level) / settings.ratePerMinute))
  }
  if (line.length > 0 && reasonToHold(room) === null && slots(room) <= 0)
    times.push(...room.takes.map(({ endsAt }) => endsAt))
  const known = times.filter((time) => typeof time === 'number')
  return known.length === 0 ? null : Math.min(...known)
}

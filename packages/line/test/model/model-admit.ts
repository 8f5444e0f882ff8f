import { type EndReason, fenceOf } from '@seatwise/domain'
import type { Admission, AdmitLimit } from '../../src/index.ts'
import { gateSums, overdueTakes } from './model-gate.ts'
import type { ModelRoom } from './model-room.ts'
import { isSilent } from './model-sweep.ts'
import { isOnFloor, type ModelTicket } from './model-ticket.ts'

const TOKEN = 60_000
const admissions = new WeakMap<ModelRoom, Map<string, Admission>>()

/** Admission, by the rules of the specification: one ticket at a time, asking everything anew each time. */
export function modelAdmit(room: ModelRoom, { batch, operation, operatorCount }: AdmitLimit): Admission {
  const remembered = admissions.get(room) ?? new Map<string, Admission>()
  admissions.set(room, remembered)
  const before = remembered.get(operation)
  if (before !== undefined) return before
  const seqBefore = room.seq
  const done: Done = { admitted: [], ended: [], away: [], lastEntry: null }
  room.refill()
  const allowed = () => (operatorCount === undefined ? room.level >= TOKEN : done.admitted.length < operatorCount)
  let work = nextWork(room, allowed)
  for (let looked = 0; looked < batch && work !== null; looked++) {
    doWork(room, work, { operation, byOperator: operatorCount !== undefined }, done)
    work = nextWork(room, allowed)
  }
  const floor = room.floorTickets()
  const { admitted, ended, away } = done
  const reply: Admission = {
    ...{ admitted, ended, away },
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

interface Done extends Pick<Admission, 'admitted' | 'ended' | 'away'> {
  /** What the last entry of this step is about: tickets to which the same happens from the same position share it. */
  lastEntry: string | null
}

type Work = { ticket: ModelTicket; expires: EndReason | null } | { returns: number }

/** The next ticket to do something about, in the order of the rules. */
function nextWork(room: ModelRoom, allowed: () => boolean): Work | null {
  const overdue = room.floorTickets().find(({ deadline }) => (deadline ?? 0) <= room.now)
  if (overdue !== undefined) return { ticket: overdue, expires: 'timeout' }
  const overdueTake = overdueTakes(room)[0]
  if (overdueTake !== undefined) return { returns: overdueTake.number }
  const [head] = room.line()
  const { closesAt, settings } = room.state
  const waits = head ?? room.awayTickets()[0]
  if (waits !== undefined && room.now > closesAt) return { ticket: waits, expires: 'sale_ended' }
  if (waits !== undefined && room.soldOut && !settings.keepLineWhenSoldOut)
    return { ticket: waits, expires: 'sold_out' }
  if (head === undefined || reasonToHold(room) !== null || slots(room) <= 0 || !allowed()) return null
  return { ticket: head, expires: null }
}

function doWork(
  room: ModelRoom,
  work: Work,
  { operation, byOperator }: { operation: string; byOperator: boolean },
  done: Done,
): void {
  if ('returns' in work) {
    const returned = overdueTakes(room).filter(({ number }) => number === work.returns)
    room.takes = room.takes.filter((take) => !returned.includes(take))
    return
  }
  const { ticket, expires } = work
  const { number } = ticket
  if (expires !== null) {
    const entry = `${expires} from ${positionOf(ticket)}`
    room.finish(ticket, expires, operation)
    if (done.lastEntry === entry) ticket.endedSeq = mergeEntries(room)
    done.lastEntry = entry
    done.ended.push({ number, reason: expires })
    return
  }
  const { claimSeconds, sessionSeconds, heartbeatTimeoutSeconds } = room.state.settings
  if (isSilent(room, ticket, heartbeatTimeoutSeconds)) {
    room.markAway([ticket], operation)
    if (done.lastEntry === 'away') mergeEntries(room)
    done.lastEntry = 'away'
    done.away.push(number)
    return
  }
  room.state.passedPlace = Math.max(room.state.passedPlace, ticket.place)
  done.lastEntry = null
  const active = claimSeconds === 0
  const deadline = room.now + (active ? sessionSeconds : claimSeconds) * 1_000
  const fence = fenceOf(room.epoch, room.seq + 1)
  if (!byOperator) room.level -= TOKEN
  Object.assign(ticket, { state: active ? 'active' : 'admitted', deadline, session: deadline, fence })
  ticket.seatsVersion = room.loadedVersion
  const by = byOperator ? ({ by: 'operator' } as const) : {}
  room.append(operation, { kind: 'admitted', number, class: ticket.class, fence, deadline, active, ...by })
  done.admitted.push({ number, class: ticket.class, fence, deadline, waitedMs: room.now - ticket.joinedAt })
}

function positionOf(ticket: ModelTicket): string {
  if (isOnFloor(ticket)) return 'floor'
  if (!ticket.away) return 'line'
  return ticket.graceUntil === null ? 'away' : 'passed'
}

/** Makes one entry of the last two, which are of one kind; returns its seq. */
function mergeEntries(room: ModelRoom): number {
  const second = room.log.pop()?.change
  const first = room.log.at(-1)?.change
  if (first?.kind === 'away' && second?.kind === 'away') {
    Object.assign(first, { numbers: [...first.numbers, ...second.numbers], ranks: [...first.ranks, ...second.ranks] })
  } else if (first?.kind === 'expired' && second?.kind === 'expired') {
    const ranks = first.ranks && second.ranks && [...first.ranks, ...second.ranks]
    Object.assign(first, { numbers: [...first.numbers, ...second.numbers], ranks })
  } else throw new Error('The last two entries are of different kinds')
  return room.seq
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
  const times = [room.floorTickets()[0]?.deadline]
  if (line.length + away.length > 0 && room.now <= closesAt) times.push(closesAt + 1)
  if (line.length > 0 && reasonToHold(room) === 'not_open' && !room.soldOut) times.push(opensAt)
  if (line.length > 0 && reasonToHold(room) === null && slots(room) > 0) {
    times.push(room.now + Math.ceil(Math.max(0, TOKEN - room.level) / settings.ratePerMinute))
  }
  if (line.length > 0 && reasonToHold(room) === null && slots(room) <= 0)
    times.push(...room.takes.map(({ endsAt }) => endsAt))
  const known = times.filter((time) => typeof time === 'number')
  return known.length === 0 ? null : Math.min(...known)
}

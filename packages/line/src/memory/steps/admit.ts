import { type EndReason, fenceOf, NUMBERS_MAX } from '@seatwise/domain'
import type { Admission, AdmitLimit } from '../../contract.ts'
import { isSoldOut } from '../../room-state.ts'
import { refill, takeToken, tokensIn } from '../rules/bucket.ts'
import { withSums } from '../rules/floor-sums.ts'
import { freeSlots, reasonToHold } from '../rules/free-slots.ts'
import { nextAdmitAt } from '../rules/next-admit-at.ts'
import { isPresent } from '../rules/presence.ts'
import type { OrderedNumber, OrderedNumbers } from '../state/ordered-numbers.ts'
import { append, countAway, isOver, type Room } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'
import { expireTickets } from '../tickets/end-ticket.ts'
import { markAway } from '../tickets/mark-away.ts'
import { returnTakes } from '../tickets/takes.ts'

/**
 * Expires overdue tickets, returns overdue takes, then admits as many tickets from the head of the line as capacity, rate and
 * stock allow. Rules M1–M9, M15, M16, M18, M19, M23, M29 and L33.
 */
export function admit(room: Room, { batch, operation, operatorCount }: AdmitLimit): Admission {
  const before = room.admissions.get(operation)
  if (before !== undefined) return before
  const seqBefore = room.seq
  const step: Step = {
    ...{ operation, left: batch, operatorLeft: operatorCount ?? null },
    ...{ admitted: [], ended: [], away: [], absent: [] },
  }
  expireFrom(room, step, 'timeout', room.floor, room.now)
  step.left -= returnTakes(room, step.left)
  const reason = reasonToClear(room)
  if (reason !== null) for (const from of [room.line, room.away, room.passed]) expireFrom(room, step, reason, from)
  room.bucket = refill(room.bucket, room.now, room.settings)
  while (step.left > 0 && mayAdmit(room, step)) takeHead(room, step)
  logAbsent(room, step)

  const { admitted, ended, away } = step
  const more = hasWork(room, step)
  const reply: Admission = {
    ...{ admitted, ended, away, heldBy: reasonToHold(room), more },
    waiting: room.line.size,
    floor: room.floor.size,
    unreserved: room.unreserved,
    nextAt: more ? room.now : nextAdmitAt(room),
    seq: room.seq,
    now: room.now,
  }
  if (room.seq > seqBefore) room.admissions.set(operation, reply)
  return reply
}

/** One call: what it did, and how many more tickets it may touch. */
interface Step extends Pick<Admission, 'admitted' | 'ended' | 'away'> {
  readonly operation: string
  left: number
  /** How many tickets the operator still lets in past the rate; null when the rate decides. */
  operatorLeft: number | null
  /** Heads that were not seen in time and are not logged yet. */
  absent: number[]
}

/** Whether another step could change something at this very moment. Rule M6. */
function hasWork(room: Room, step: Step): boolean {
  return (
    isDue(room.floor.first(), room.now) ||
    isDue(room.takeEnds.first(), room.now) ||
    (reasonToClear(room) !== null && room.line.size + countAway(room) > 0) ||
    mayAdmit(room, step)
  )
}

function isDue(first: OrderedNumber | undefined, now: number): boolean {
  return first !== undefined && first.score <= now
}

/** Expires the first tickets with a score up to `scoreMax`, many in one entry of the log. */
function expireFrom(
  room: Room,
  step: Step,
  reason: EndReason,
  from: OrderedNumbers,
  scoreMax: number = Number.POSITIVE_INFINITY,
): void {
  while (step.left > 0 && isDue(from.first(), scoreMax)) {
    const tickets: Ticket[] = []
    for (let rank = 0; tickets.length < Math.min(step.left, NUMBERS_MAX); rank++) {
      const found = from.at(rank)
      if (found === undefined || !isDue(found, scoreMax)) break
      tickets.push(ticketOf(room, found.number))
    }
    expireTickets(room, tickets, reason, step.operation)
    for (const { number } of tickets) step.ended.push({ number, reason })
    step.left -= tickets.length
  }
}

/** Why every waiting ticket must end; null when none must. Rules M15 and M16. */
function reasonToClear(room: Room): EndReason | null {
  if (isOver(room)) return 'sale_ended'
  return isSoldOut(room) && !room.settings.keepLineWhenSoldOut ? 'sold_out' : null
}

function mayAdmit(room: Room, { operatorLeft }: Step): boolean {
  const allowed = operatorLeft ?? tokensIn(room.bucket)
  return reasonToHold(room) === null && room.line.size > 0 && freeSlots(room) > 0 && allowed > 0
}

/** Admits the head of the line, or marks it away when it was not seen; only admitting costs a slot and a token. Rules M4 and M5. */
function takeHead(room: Room, step: Step): void {
  const { score: place, number } = room.line.first() ?? unreachable('the line is empty')
  const ticket = ticketOf(room, number)
  step.left--
  if (isPresent(room, ticket.seen)) {
    logAbsent(room, step)
    room.line.remove(place, number)
    step.admitted.push(letIn(room, ticket, step))
    return
  }
  markAway(room, ticket)
  step.away.push(number)
  step.absent.push(number)
  if (step.absent.length === NUMBERS_MAX) logAbsent(room, step)
}

/** Absent heads right behind each other share an entry, which is written before the next admission: no present ticket is passed over. */
function logAbsent(room: Room, step: Step): void {
  if (step.absent.length === 0) return
  append(room, step.operation, { kind: 'away', numbers: step.absent, ranks: step.absent.map(() => 0) })
  step.absent = []
}

function letIn(room: Room, ticket: Ticket, step: Step): Admission['admitted'][number] {
  const { number, class: ticketClass } = ticket
  const { claimSeconds, sessionSeconds } = room.settings
  const active = claimSeconds === 0
  const deadline = room.now + (active ? sessionSeconds : claimSeconds) * 1_000
  const fence = fenceOf(room.epoch, room.seq + 1)
  const by = step.operatorLeft === null ? {} : ({ by: 'operator' } as const)
  if (step.operatorLeft === null) room.bucket = takeToken(room.bucket)
  else step.operatorLeft--
  ticket.state = active ? 'active' : 'admitted'
  room.passedPlace = Math.max(room.passedPlace, ticket.place)
  withSums(room, number, () => {
    ticket.floor = {
      deadline,
      fence,
      sessionDeadline: deadline,
      reservedSeats: 0,
      seatsVersion: room.loadedVersion,
      extendedBy: null,
    }
  })
  room.floor.insert(deadline, number)
  if (!active) room.admitted++
  append(room, step.operation, { kind: 'admitted', number, class: ticketClass, fence, deadline, active, ...by })
  return { number, class: ticketClass, fence, deadline, waitedMs: room.now - ticket.joinedAt }
}

function ticketOf(room: Room, number: number): Ticket {
  return room.tickets.get(number) ?? unreachable(`ticket ${number} has a position, but is not known`)
}

function unreachable(what: string): never {
  throw new Error(`The state of a room is inconsistent: ${what}`)
}

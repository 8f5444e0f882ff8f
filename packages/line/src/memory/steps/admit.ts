import { type EndReason, fenceOf } from '@seatwise/domain'
import type { Admission, AdmitLimit } from '../../contract.ts'
import { isSoldOut } from '../../room-state.ts'
import { refill, takeToken, tokensIn } from '../rules/bucket.ts'
import { withSums } from '../rules/floor-sums.ts'
import { freeSlots, reasonToHold } from '../rules/free-slots.ts'
import { nextAdmitAt } from '../rules/next-admit-at.ts'
import { isPresent } from '../rules/presence.ts'
import type { OrderedNumber } from '../state/ordered-numbers.ts'
import { append, isOver, type Room } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'
import { endTicket } from '../tickets/end-ticket.ts'
import { returnTakes } from '../tickets/takes.ts'

/**
 * Expires overdue tickets, returns overdue takes, then admits as many tickets from the head of the line as capacity, rate and
 * stock allow. Rules M1–M9, M15, M16, M18, M19, M23, L17 and L33.
 */
export function admit(room: Room, { batch, operation }: AdmitLimit): Admission {
  const before = room.admissions.get(operation)
  if (before !== undefined) return before
  const seqBefore = room.seq
  const step: Step = { operation, left: batch, admitted: [], ended: [], away: [] }
  expireWhile(room, step, 'timeout', () => dueFirst(room.floor.first(), room.now))
  expireWhile(room, step, 'no_show', () => dueFirst(room.away.first(), room.now - 1))
  step.left -= returnTakes(room, step.left)
  const reason = reasonToClear(room)
  if (reason !== null) expireWhile(room, step, reason, () => room.line.first() ?? room.away.first())
  room.bucket = refill(room.bucket, room.now, room.settings)
  while (step.left > 0 && mayAdmit(room)) takeHead(room, step)

  const { admitted, ended, away } = step
  const more = hasWork(room)
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
}

/** Whether another step could change something at this very moment. Rule M6. */
function hasWork(room: Room): boolean {
  return (
    dueFirst(room.floor.first(), room.now) !== undefined ||
    dueFirst(room.away.first(), room.now - 1) !== undefined ||
    dueFirst(room.takeEnds.first(), room.now) !== undefined ||
    (reasonToClear(room) !== null && room.line.size + room.away.size > 0) ||
    mayAdmit(room)
  )
}

function dueFirst(first: OrderedNumber | undefined, now: number): OrderedNumber | undefined {
  return first !== undefined && first.score <= now ? first : undefined
}

function expireWhile(room: Room, step: Step, reason: EndReason, next: () => OrderedNumber | undefined): void {
  while (step.left > 0) {
    const found = next()
    if (found === undefined) return
    endTicket(room, ticketOf(room, found.number), reason, step.operation)
    step.ended.push({ number: found.number, reason })
    step.left--
  }
}

/** Why every waiting ticket must end; null when none must. Rules M15 and M16. */
function reasonToClear(room: Room): EndReason | null {
  if (isOver(room)) return 'sale_ended'
  return isSoldOut(room) && !room.settings.keepLineWhenSoldOut ? 'sold_out' : null
}

function mayAdmit(room: Room): boolean {
  return reasonToHold(room) === null && room.line.size > 0 && freeSlots(room) > 0 && tokensIn(room.bucket) > 0
}

/** Admits the head of the line, or marks it away when it was not seen; only admitting costs a slot and a token. Rules M4 and M5. */
function takeHead(room: Room, step: Step): void {
  const { score: place, number } = room.line.first() ?? unreachable('the line is empty')
  const ticket = ticketOf(room, number)
  room.line.remove(place, number)
  step.left--
  if (isPresent(ticket.seen, room.now, room.loadedAt, room.settings.heartbeatTimeoutSeconds)) {
    step.admitted.push(letIn(room, ticket, step.operation))
  } else {
    const until = room.now + room.settings.graceSeconds * 1_000
    ticket.awayUntil = until
    room.away.insert(until, number)
    append(room, step.operation, { kind: 'away', number, until })
    step.away.push(number)
  }
}

function letIn(room: Room, ticket: Ticket, operation: string): Admission['admitted'][number] {
  const { number, class: ticketClass } = ticket
  const { claimSeconds, sessionSeconds } = room.settings
  const active = claimSeconds === 0
  const deadline = room.now + (active ? sessionSeconds : claimSeconds) * 1_000
  const fence = fenceOf(room.epoch, room.seq + 1)
  room.bucket = takeToken(room.bucket)
  ticket.state = active ? 'active' : 'admitted'
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
  append(room, operation, { kind: 'admitted', number, class: ticketClass, fence, deadline, active })
  return { number, class: ticketClass, fence, deadline, waitedMs: room.now - ticket.joinedAt }
}

function ticketOf(room: Room, number: number): Ticket {
  return room.tickets.get(number) ?? unreachable(`ticket ${number} has a position, but is not known`)
}

function unreachable(what: string): never {
  throw new Error(`The state of a room is inconsistent: ${what}`)
}

import assert from 'node:assert/strict'
import { NUMBERS_MAX } from '@seatwise/domain'
import type { Sweep, SweepLimit } from '../../contract.ts'
import { attendedSince, silentBefore } from '../rules/presence.ts'
import { CHUNK_TICKETS } from '../state/chunk-bounds.ts'
import { append, countAway, isUndrawn, type Room, rankOf } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'
import { expireTickets } from '../tickets/end-ticket.ts'
import { markAway } from '../tickets/mark-away.ts'

const OPERATION = 'sweep'
/** Chunks that one call may read. */
const CHUNKS_MAX = 64

/**
 * Marks away the waiting tickets that were not seen in time, and expires those that have been away for too long. Rules L17,
 * L60 and L62–L64.
 */
export function sweep(room: Room, { batch }: SweepLimit): Sweep {
  assert(batch >= 0 && batch <= NUMBERS_MAX, `The batch must be 0 to ${NUMBERS_MAX}, not ${batch}`)
  attend(room)
  const step: Step = { left: batch, expired: new Set(), absent: [] }
  beginGrace(room, step)
  findPassedTooLong(room, step)
  const isComplete = findSilent(room, step)
  expireTickets(room, [...step.expired], 'no_show', OPERATION)
  markAbsent(room, step.absent)
  const { expired, absent, left } = step
  return { away: absent.length, expired: expired.size, more: !isComplete || left === 0, seq: room.seq }
}

/** One call: what it found, and how many more tickets it may change. */
interface Step {
  left: number
  readonly expired: Set<Ticket>
  readonly absent: Ticket[]
}

/** A server gives its word that it takes heartbeats. After a gap every ticket counts as seen now. Rule L62. */
function attend(room: Room): void {
  const unattendedSince = room.attendedAt
  room.attendedSince = attendedSince(room)
  room.attendedAt = room.now
  if (room.attendedSince < room.now || unattendedSince === room.now) return
  if (room.line.size + countAway(room) > 0) append(room, OPERATION, { kind: 'attended', unattendedSince })
}

/** Admission has passed the places of these away tickets: from now on they have the grace time. Rule L63. */
function beginGrace(room: Room, step: Step): void {
  for (; step.left > 0; step.left--) {
    const first = room.away.first()
    if (first === undefined || first.score >= room.passedPlace) return
    const ticket = ticketOf(room, first.number)
    room.away.remove(first.score, first.number)
    ticket.graceUntil = room.now + room.settings.graceSeconds * 1_000
    room.passed.insert(ticket.graceUntil, first.number)
  }
}

/** The grace time is over (L17). It does not end sooner than it would have begun with the servers' attention (L62). */
function findPassedTooLong(room: Room, step: Step): void {
  if (isUndrawn(room) || room.now <= room.attendedSince + room.settings.graceSeconds * 1_000) return
  for (let rank = 0; step.left > 0; rank++, step.left--) {
    const found = room.passed.at(rank)
    if (found === undefined || found.score >= room.now) return
    step.expired.add(ticketOf(room, found.number))
  }
}

/** Waiting tickets not seen for `heartbeatTimeoutSeconds`, and away ones after `awaySeconds`; true when all were found. Rules L60, L64, J3. */
function findSilent(room: Room, step: Step): boolean {
  const { heartbeatTimeoutSeconds, awaySeconds } = room.settings
  const before: Before = {
    waiting: silentBefore(room, heartbeatTimeoutSeconds),
    away: isUndrawn(room) ? null : silentBefore(room, heartbeatTimeoutSeconds + awaySeconds),
  }
  const found = [room.oldestWaiting.before(before.waiting, CHUNKS_MAX), room.oldestAway.before(before.away, CHUNKS_MAX)]
  for (const chunk of [...new Set(found.flat())].sort((one, other) => one - other)) {
    if (step.left === 0) return false
    readChunk(room, step, chunk, before)
  }
  return found.every(({ length }) => length < CHUNKS_MAX)
}

/** Units before which a ticket must have been seen to be silent for too long; null: none is. */
interface Before {
  readonly waiting: number | null
  readonly away: number | null
}

/** Collects what is due, and raises the bounds. What it leaves because the batch is full stays within the bounds. */
function readChunk(room: Room, step: Step, chunk: number, before: Before): void {
  let oldestWaiting = Number.POSITIVE_INFINITY
  let oldestAway = Number.POSITIVE_INFINITY
  for (let number = chunk * CHUNK_TICKETS; number < (chunk + 1) * CHUNK_TICKETS; number++) {
    const ticket = room.tickets.get(number)
    if (ticket?.state !== 'waiting' || step.expired.has(ticket)) continue
    const limit = ticket.away ? before.away : before.waiting
    const isDue = limit !== null && ticket.seen < limit && step.left > 0
    if (isDue) {
      step.left--
      if (ticket.away) step.expired.add(ticket)
      else step.absent.push(ticket)
    }
    if (!isDue && !ticket.away) oldestWaiting = Math.min(oldestWaiting, ticket.seen)
    if (isDue !== ticket.away) oldestAway = Math.min(oldestAway, ticket.seen)
  }
  room.oldestWaiting.set(chunk, oldestWaiting)
  room.oldestAway.set(chunk, oldestAway)
}

/** In the order of their places, so that neighbours leave from the same rank. */
function markAbsent(room: Room, absent: Ticket[]): void {
  if (absent.length === 0) return
  absent.sort((one, other) => one.place - other.place || one.number - other.number)
  const ranks = absent.map((ticket) => {
    const rank = rankOf(room, ticket)
    markAway(room, ticket)
    return rank
  })
  append(room, OPERATION, { kind: 'away', numbers: absent.map(({ number }) => number), ranks })
}

function ticketOf(room: Room, number: number): Ticket {
  const ticket = room.tickets.get(number)
  if (ticket === undefined) throw new Error(`The state of a room is inconsistent: away ticket ${number} is not known`)
  return ticket
}

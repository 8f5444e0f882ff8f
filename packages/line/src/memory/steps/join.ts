import type { JoinReply, JoinRequest, OnceOnly } from '../../contract.ts'
import { isSoldOut } from '../../room-state.ts'
import { choosePlace } from '../rules/choose-place.ts'
import { append, countAway, isOver, type Room } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'
import { addToLine } from '../tickets/add-to-line.ts'
import { expireIfOverdue } from '../tickets/expire-overdue.ts'
import { type Found, findLive } from '../tickets/find-ticket.ts'
import { refuseGroup, standTogether } from '../tickets/group.ts'
import { mayGain, promote } from '../tickets/promote.ts'
import { seeTicket } from '../tickets/see-ticket.ts'
import { viewTicket } from '../tickets/view-ticket.ts'

const OPERATION = 'join'
/** How many proofs a join forgets, at most, for each that it spends; and how far the clocks of servers may be apart. */
const FORGOTTEN_MAX = 4
const CLOCKS_APART_MS = 60_000

/** Draws a ticket, or answers with the live one of this identity. Rules L1–L8, L12–L15, L21, L32, L91, L92, L123, L143, L150 and L153. */
export function join(room: Room, request: JoinRequest): JoinReply {
  const live = findLive(room, request.identity, OPERATION)
  if (live !== undefined) return joinAgain(room, live, request)
  const refusal = refuse(room, request)
  if (refusal !== null) return { status: refusal, seq: room.seq }

  const number = room.nextNumber++
  const { identity, shown = null, profile, code = null, class: ticketClass } = request
  const place = choosePlace(room, ticketClass, number)
  const limitKey = request.limit?.key ?? null
  const { ticket, rank } = addToLine(room, {
    number,
    identity,
    class: ticketClass,
    place,
    joinedAt: room.now,
    generation: 1,
    limitKey,
    shown,
  })
  room.hasStarted = true
  if (code !== null) room.usedCodes.add(code)
  if (request.proof) spend(room, request.proof)
  append(room, OPERATION, {
    kind: 'joined',
    ...{ number, identity, class: ticketClass, place, rank, code, limitKey, shown, profile },
  })
  if (request.group === undefined) return { status: 'joined', ...viewTicket(room, { ticket, own: ticket }, rank) }
  const kept = standTogether(room, request.group, ticket, OPERATION)
  return { status: 'joined', ...viewTicket(room, { ticket: kept, own: ticket }) }
}

/** The live ticket, which a code may move forward, and which may join a group. */
function joinAgain(room: Room, { ticket, own }: Found, { class: ticketClass, code, group }: JoinRequest): JoinReply {
  const promotion = code !== undefined && mayGain(ticket, ticketClass) ? { class: ticketClass, code } : null
  const refusal =
    (promotion && refusePromotion(room, ticket, promotion.code)) ??
    (group === undefined ? null : refuseGroup(room, group, ticket))
  if (refusal !== null) return { status: refusal, seq: room.seq }
  const back = seeTicket(room, ticket, OPERATION)
  if (promotion !== null) promote(room, ticket, promotion, OPERATION)
  const kept = group === undefined ? ticket : standTogether(room, group, ticket, OPERATION)
  return { status: 'present', ...viewTicket(room, { ticket: kept, own }), back }
}

function refusePromotion(room: Room, ticket: Ticket, code: string): JoinRefusal | null {
  if (ticket.companions.length > 0) return 'in_group'
  if (room.draw?.progress === 'sealed') return 'drawing'
  if (isLogNearlyFull(room)) return 'log_full'
  return room.usedCodes.has(code) ? 'code_used' : null
}

/** The live ticket of an identity, marked as seen; undefined when it has none or its ticket was overdue. */
export function findPresent(room: Room, identity: string, operation: string): JoinReply | undefined {
  const found = findLive(room, identity, operation)
  if (found === undefined) return undefined
  const back = seeTicket(room, found.ticket, operation)
  return { status: 'present', ...viewTicket(room, found), back }
}

type JoinRefusal = Exclude<JoinReply['status'], 'joined' | 'present' | 'refused'>

function refuse(room: Room, { limit, held, code, proof, group, class: ticketClass }: JoinRequest): JoinRefusal | null {
  if (room.now < Math.min(room.opensAt, room.joinsFrom ?? room.opensAt)) return 'not_started'
  if (isOver(room)) return 'sale_ended'
  if (room.draw?.progress === 'sealed' && ticketClass > 0) return 'drawing'
  if (isSoldOut(room) && !room.settings.keepLineWhenSoldOut) return 'sold_out'
  if (isLogNearlyFull(room)) return 'log_full'
  if (isFull(room)) return 'full'
  if (limit !== undefined && limit.max > 0 && (room.limits.get(limit.key) ?? 0) >= limit.max) return 'limit_reached'
  if (held !== undefined && holdsEnough(room, held)) return 'held'
  if (code !== undefined && room.usedCodes.has(code)) return 'code_used'
  const refused = group === undefined ? null : refuseGroup(room, group, null)
  if (refused !== null) return refused
  if (proof === null) return 'proof_missing'
  if (proof !== undefined && (room.spent.get(proof.key) ?? -1) >= proof.until) return 'proof_spent'
  return null
}

/** Whether so many of the tickets that a device drew before are live that it gets no other. Rule L123. */
function holdsEnough(room: Room, { numbers, max }: NonNullable<JoinRequest['held']>): boolean {
  for (const number of numbers) {
    const ticket = room.tickets.get(number)
    if (ticket !== undefined) expireIfOverdue(room, ticket, OPERATION)
  }
  return numbers.filter((number) => room.tickets.has(number) || room.companions.has(number)).length >= max
}

/** Remembers it as spent, and forgets what cannot count any more: the oldest first, each join a few. */
function spend(room: Room, { key, until, forMs }: OnceOnly): void {
  room.spent.delete(key)
  room.spent.set(key, Math.max(until, room.now + forMs))
  let looked = 0
  for (const [other, otherUntil] of room.spent) {
    if (otherUntil > room.now - CLOCKS_APART_MS || ++looked > FORGOTTEN_MAX) break
    room.spent.delete(other)
  }
}

/** Away tickets do not count, unless they are as many as the line may hold. Rule L6. */
function isFull(room: Room): boolean {
  const { maxWaiting } = room.settings
  return room.line.size >= maxWaiting || room.line.size + countAway(room) >= 2 * maxWaiting
}

/** At 80 % of its bound; the rest is for leaving, entering and expiry, which are never refused. Rule L21. */
function isLogNearlyFull(room: Room): boolean {
  return (room.seq - room.followedSeq) * 10 >= room.logMax * 8
}

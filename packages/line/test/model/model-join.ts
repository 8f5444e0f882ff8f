import type { JoinReply, JoinRequest, RestoreRequest, TicketClass } from '../../src/index.ts'
import type { ModelRoom } from './model-room.ts'
import { isAway, isLive, type ModelTicket, newTicket } from './model-ticket.ts'

/** Joining, by the rules of the specification. */
export function modelJoin(room: ModelRoom, request: JoinRequest): JoinReply {
  const live = findLive(room, request.identity, 'join')
  if (live !== undefined) return joinAgain(room, live, request)
  const refusal = refuse(room, request)
  if (refusal !== null) return { status: refusal, seq: room.seq }
  const { identity, class: ticketClass, code = null, shown = null, profile } = request
  const number = room.nextNumber
  room.nextNumber += 1
  const place = placeFor(room, ticketClass, number)
  const limitKey = request.limit?.key ?? null
  if (code !== null) room.usedCodes.push(code)
  if (request.proof) {
    const { key, until, forMs } = request.proof
    room.spent.set(key, Math.max(until, room.now + forMs))
  }
  const joinedAt = room.now
  const ticket = enter(room, {
    number,
    identity,
    class: ticketClass,
    place,
    joinedAt,
    seenAt: room.now,
    limitKey,
    shown,
  })
  const rank = room.rank(ticket)
  const drawn = { number, identity, class: ticketClass, place, rank, code, limitKey, shown, profile }
  room.append('join', { kind: 'joined', ...drawn })
  return { status: 'joined', ...room.view(ticket) }
}

export function modelRestore(room: ModelRoom, request: RestoreRequest): JoinReply {
  const present = liveTicketOf(room, request.identity, 'restore')
  if (present !== undefined) return present
  const { number, place, class: ticketClass, identity, generation, epoch: fromEpoch, joinedAt } = request
  const mark = room.state.marks[fromEpoch] ?? Number.POSITIVE_INFINITY
  const isKnown = room.tickets.some((ticket) => ticket.number === number || ticket.identity === identity)
  if (fromEpoch >= room.epoch || number <= mark || number >= room.state.nextNumber || isKnown) {
    return { status: 'refused', seq: room.seq }
  }
  const fields = { number, identity, class: ticketClass, place, generation, joinedAt }
  const ticket = enter(room, { ...fields, seenAt: room.now })
  room.append('restore', { kind: 'restored', ...fields, rank: room.rank(ticket), fromEpoch })
  return { status: 'joined', ...room.view(ticket) }
}

/** L143: a code of a higher class moves a ticket that waits to where a new one would stand, unless it stands further ahead. */
function joinAgain(room: ModelRoom, ticket: ModelTicket, { class: ticketClass, code }: JoinRequest): JoinReply {
  const isRaised = code !== undefined && ticket.state === 'waiting' && ticketClass > ticket.class
  if (isRaised && room.seq - room.followedSeq >= 0.8 * room.state.logMax) return { status: 'log_full', seq: room.seq }
  if (isRaised && room.usedCodes.includes(code)) return { status: 'code_used', seq: room.seq }
  const back = room.see(ticket, 'join')
  if (isRaised) {
    const fromRank = room.rank(ticket)
    ticket.away = true
    const wished = placeFor(room, ticketClass, ticket.number)
    Object.assign(ticket, { away: false, class: ticketClass, place: Math.min(ticket.place, wished) })
    const { lastPlaces } = room.state
    lastPlaces[ticketClass] = Math.max(lastPlaces[ticketClass], ticket.place)
    room.usedCodes.push(code)
    const { number, place } = ticket
    room.append('join', { kind: 'classed', number, class: ticketClass, code, place, rank: room.rank(ticket), fromRank })
  }
  return { status: 'present', ...room.view(ticket), back }
}

function findLive(room: ModelRoom, identity: string, operation: string): ModelTicket | undefined {
  const ticket = room.tickets.find((other) => isLive(other) && other.identity === identity)
  if (ticket !== undefined) room.expireIfOverdue(ticket, operation)
  return ticket !== undefined && isLive(ticket) ? ticket : undefined
}

function liveTicketOf(room: ModelRoom, identity: string, operation: string): JoinReply | undefined {
  const ticket = findLive(room, identity, operation)
  if (ticket === undefined) return undefined
  const back = room.see(ticket, operation)
  return { status: 'present', ...room.view(ticket), back }
}

function refuse(
  room: ModelRoom,
  { limit, held, code, proof }: JoinRequest,
): Exclude<JoinReply['status'], 'joined' | 'present'> | null {
  const { opensAt, closesAt, settings, logMax } = room.state
  const live = room.tickets.filter(isLive)
  if (room.now < opensAt) return 'not_started'
  if (room.now > closesAt) return 'sale_ended'
  if (room.soldOut && !settings.keepLineWhenSoldOut) return 'sold_out'
  if (room.seq - room.followedSeq >= 0.8 * logMax) return 'log_full'
  const waiting = room.line().length
  if (waiting >= settings.maxWaiting || waiting + room.tickets.filter(isAway).length >= 2 * settings.maxWaiting)
    return 'full'
  const sharing = live.filter(({ limitKey }) => limitKey !== null && limitKey === limit?.key).length
  if (limit !== undefined && limit.max > 0 && sharing >= limit.max) return 'limit_reached'
  if (held !== undefined) {
    for (const number of held.numbers) room.find(number, null, 'join')
    if (room.tickets.filter((ticket) => isLive(ticket) && held.numbers.includes(ticket.number)).length >= held.max)
      return 'held'
  }
  if (code !== undefined && room.usedCodes.includes(code)) return 'code_used'
  if (proof === null) return 'proof_missing'
  return proof !== undefined && (room.spent.get(proof.key) ?? -1) >= proof.until ? 'proof_spent' : null
}

function enter(room: ModelRoom, fields: Parameters<typeof newTicket>[0]): ModelTicket {
  const ticket = newTicket(fields)
  room.tickets.push(ticket)
  const { lastPlaces } = room.state
  lastPlaces[ticket.class] = Math.max(lastPlaces[ticket.class], ticket.place)
  return ticket
}

/** L12 to L14, word for word. */
function placeFor(room: ModelRoom, ticketClass: TicketClass, number: number): number {
  if (ticketClass === 0) return number
  const places = room.line().map(({ place }) => place)
  const last = room.state.lastPlaces[ticketClass]
  const next = places.find((place) => place > last)
  const justBehind = next === undefined ? number : last + (next - last) / 65_536
  if (room.state.settings.priorityMode === 'lanes') {
    const lane = number - ticketClass * 2 ** 40
    return lane > last ? lane : justBehind
  }
  const tenths = [10, 9, 5, 0][ticketClass] ?? 10
  const rank = Math.floor((places.length * tenths) / 10)
  const target = places[rank]
  if (target === undefined) return number
  if (target <= last) return justBehind
  const low = places[rank - 1] ?? target - 1
  return low <= last ? justBehind : low + (target - low) / 2
}

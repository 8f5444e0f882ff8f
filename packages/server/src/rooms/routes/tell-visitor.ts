import type { EndReason } from '@seatwise/domain'
import type { TicketView } from '@seatwise/line'
import type { Static } from 'typebox'
import type { Position, Room, RoomView } from '../room.ts'
import type { RoomTokens } from '../tokens/room-tokens.ts'
import { ticketId } from '../tokens/ticket-token.ts'
import type { Profile, Profiles } from './profiles.ts'
import type { StatusAnswer } from './schemas.ts'
import type { Visit, Visits } from './visits.ts'

/** What one visitor is told about their own ticket, in the contract's terms. */
export type Told = Static<typeof StatusAnswer>

/** A ticket that does not wait has no wait to estimate. */
const NO_WAIT: Told['eta'] = { p50: null, p90: null, basis: 'measured', reason: null }

const NOT_OPEN: Told['eta'] = { p50: null, p90: null, basis: 'configured', reason: 'not_open' }

export interface TellParts {
  readonly roomTokens: RoomTokens
  readonly visits: Visits
  readonly profiles: Profiles
}

/**
 * Everything a visitor is told about their own ticket. Joining, status, taking a place over and the pages all answer
 * with this, and add only tokens.
 */
export async function tellVisitor(parts: TellParts, room: Room, found: Position): Promise<Told> {
  const told = tellFromMemory(parts, room, found)
  if (told !== null) return told
  const profile = await parts.profiles.of(room.id, ownNumber(found.view))
  return tellTicket(parts.roomTokens, room, await parts.visits.visitOf(room, found), profile)
}

/**
 * The same without waiting, for a ticket that waits, as most do: the ledger has nothing to add to it. Null for every
 * other ticket, and when the visitor's name is not cached here.
 */
export function tellFromMemory({ roomTokens, profiles }: TellParts, room: Room, position: Position): Told | null {
  const { state } = position.view
  const profile = state === 'waiting' ? profiles.remembered(room.id, ownNumber(position.view)) : undefined
  return profile === undefined ? null : tellTicket(roomTokens, room, { position, reservation: null }, profile)
}

function tellTicket(tokens: RoomTokens, room: Room, { position: found, reservation }: Visit, profile: Profile): Told {
  const { view, exact } = found
  const { phase, opensAt } = room.document
  // Before the line opens a ticket has no position yet, whatever the store's order is.
  const isPre = phase === 'pre' && view.state === 'waiting'
  const rank = isPre ? null : view.rank
  const eta = rank === null ? (isPre ? NOT_OPEN : NO_WAIT) : room.estimate(view.number, rank)
  const told: Told = {
    status: view.state ?? 'expired',
    ticketId: ticketId(room.id, view.number),
    number: view.number,
    phase,
    opensAt,
    rank,
    position: rank === null ? null : positionOf(rank),
    place: isPre ? null : view.place,
    exact,
    queueLength: view.waiting,
    estimatedWaitSeconds: eta.p50,
    eta,
    name: profile.name,
    avatar: profile.avatar,
    joinedAt: new Date(view.joinedAt).toISOString(),
    pollAfterMs: room.pollAfterMs(rank, eta.p50),
    push: view.state !== 'completed' && view.state !== 'expired' && room.shouldListen(rank),
    epoch: view.epoch,
    seq: view.seq,
  }
  // Most tickets wait, and have none of these.
  if (isAway(room, view)) told.away = true
  if (view.reason !== null) told.reason = view.reason
  if (view.group !== undefined) told.group = { people: view.group.people }
  if (view.deadline !== null) Object.assign(told, floorFields(tokens, room, view, view.deadline))
  if (reservation !== null) told.reservation = reservation
  return told
}

/** Polling brings an absent visitor back before the answer is built: the step says so, and the log for a few seconds more. */
function isAway(room: Room, { away, back, rank, number }: RoomView): boolean {
  return away || back || (rank !== null && room.isJustBack(number))
}

function floorFields(tokens: RoomTokens, room: Room, view: TicketView, deadline: number): Partial<Told> {
  if (view.state === 'admitted') return { ...turnFields('admitted', deadline), extended: view.extended }
  return view.state === 'active' ? { ...activeFields(tokens, room, view), extended: view.extended } : {}
}

/** For an active ticket: its deadline and its pass. */
export function activeFields(tokens: RoomTokens, room: Room, view: TicketView) {
  return { ...turnFields('active', view.deadline ?? view.now), activeToken: passOf(tokens, room, view) }
}

/** The pass of a ticket on the floor; the same while its fence and deadline stay. */
export function passOf(tokens: RoomTokens, room: Room, view: TicketView): string {
  if (view.fence === null || view.deadline === null) throw new Error(`Ticket ${view.number} is not on the floor`)
  const claims = { room: room.id, number: view.number, fence: view.fence, expiresAt: view.deadline }
  return tokens.passes.issue(claims, ticketId(room.id, view.number))
}

/** The number under which a visitor joined: that of their ticket, unless they stand with a group. */
export function ownNumber({ number, group }: TicketView): number {
  return group?.number ?? number
}

/*
 * Fields that push and pages tell as well. Each is computed only here, so that the channels cannot differ.
 */

/** A rank counts from 0, a position from 1. */
export function positionOf(rank: number): number {
  return rank + 1
}

/** The deadline on the floor; `deadline` in milliseconds of the room's clock. */
export function turnFields<State extends 'admitted' | 'active'>(
  status: State,
  deadline: number,
): { status: State; expiresAt: string } {
  return { status, expiresAt: new Date(deadline).toISOString() }
}

/** How a ticket ended; only an expired one has a reason. */
export function endFields<State extends 'completed' | 'expired', Reason extends EndReason | null>(
  status: State,
  reason: Reason,
): { status: State; reason: Reason } {
  return { status, reason }
}

import type { TicketView } from '@seatwise/line'
import type { Static } from 'typebox'
import { positionOf, turnFields } from '../picture/told-fields.ts'
import type { FarView, Position, Room, RoomView } from '../room.ts'
import type { RoomTokens } from '../tokens/room-tokens.ts'
import { ticketId } from '../tokens/ticket-id.ts'
import type { Profile, Profiles } from './profiles.ts'
import type { StatusAnswer } from './schemas.ts'
import type { Visit, Visits } from './visits.ts'

/** What one visitor is told about their own ticket, in the contract's terms. */
export type Told = Static<typeof StatusAnswer>

const UNKNOWN = { p50: null, p90: null, reason: null }

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
  const profile = await parts.profiles.of(room.id, found.view.number)
  return tellTicket(parts.roomTokens, room, await parts.visits.visitOf(room, found), profile)
}

/**
 * The same for a ticket far from the head, which most polls are about: it waits, so neither the store nor the ledger
 * has anything to add. Null when the visitor's name is not cached here.
 */
export function tellFar({ roomTokens, profiles }: TellParts, room: Room, view: FarView): Told | null {
  const profile = profiles.remembered(room.id, view.number)
  if (profile === undefined) return null
  return tellTicket(roomTokens, room, { position: { view, exact: false }, reservation: null }, profile)
}

function tellTicket(tokens: RoomTokens, room: Room, { position: found, reservation }: Visit, profile: Profile): Told {
  const { view, exact } = found
  const { rank } = view
  const eta = rank === null ? UNKNOWN : room.estimate(view.number, rank)
  const told: Told = {
    status: view.state ?? 'expired',
    ticketId: ticketId(room.id, view.number),
    rank,
    position: rank === null ? null : positionOf(rank),
    place: view.place,
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
  if (view.deadline !== null) Object.assign(told, floorFields(tokens, room, view, view.deadline))
  if (reservation !== null) told.reservation = reservation
  return told
}

/** Polling brings an absent visitor back before the answer is built: then only the log still shows the absence. */
function isAway(room: Room, { away, rank, number }: RoomView): boolean {
  return away || (rank !== null && room.isJustBack(number))
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

import type { TicketView } from '@seatwise/line'
import type { Room, Standing } from '../room.ts'
import type { RoomTokens } from '../tokens/room-tokens.ts'
import { ticketId } from '../tokens/ticket-id.ts'

export interface Profile {
  name: string | null
  avatar: string | null
}

/** What a visitor is told about their own ticket, in the words of the contract. */
export function tellStanding(tokens: RoomTokens, room: Room, { view, exact }: Standing, profile: Profile) {
  const { rank } = view
  const eta = rank === null ? { p50: null, p90: null, reason: null } : room.estimate(view.number, rank)
  return {
    status: view.state ?? 'expired',
    ticketId: ticketId(room.id, view.number),
    ...(view.away || (rank !== null && room.isJustBack(view.number)) ? { away: true } : {}),
    ...(view.reason === null ? {} : { reason: view.reason }),
    rank,
    position: rank === null ? null : rank + 1,
    place: view.place,
    exact,
    queueLength: view.waiting,
    estimatedWaitSeconds: eta.p50,
    eta,
    ...floorFields(tokens, room, view),
    ...profile,
    joinedAt: new Date(view.joinedAt).toISOString(),
    pollAfterMs: room.pollAfterMs(rank, eta.p50),
    push: view.state !== 'completed' && view.state !== 'expired' && room.shouldListen(rank),
    epoch: view.epoch,
    seq: view.seq,
  }
}

function floorFields(tokens: RoomTokens, room: Room, view: TicketView): Record<string, unknown> {
  if (view.deadline === null) return {}
  const expiresAt = new Date(view.deadline).toISOString()
  if (view.state === 'admitted') return { expiresAt, extended: view.extended }
  if (view.state !== 'active') return {}
  return { expiresAt, extended: view.extended, activeToken: passOf(tokens, room, view) }
}

/** The pass of a ticket on the floor; the same for as long as its fence and deadline stay. */
export function passOf(tokens: RoomTokens, room: Room, view: TicketView): string {
  if (view.fence === null || view.deadline === null) throw new Error(`Ticket ${view.number} is not on the floor`)
  const claims = { room: room.id, number: view.number, fence: view.fence, expiresAt: view.deadline }
  return tokens.passes.issue(claims, ticketId(room.id, view.number))
}

import type { EndReply, EndRequest, JoinReply, RestoreRequest } from '@seatwise/line'
import { type Ledger, readTicket, type TicketRow } from '@seatwise/seats'
import type { OfEpoch, RoomView, TicketClaims } from './room.ts'

export interface FindParts {
  readonly ledger: Ledger
  readonly epoch: number
  readonly restore: (request: RestoreRequest) => Promise<JoinReply & OfEpoch>
}

/**
 * A ticket that the line does not know. Either it ended and the ledger has it, or it was drawn in an epoch that was
 * lost before the ledger saw it: then its token brings it back, at exactly its old place (R21).
 */
export async function findForgotten(parts: FindParts, ticket: TicketClaims, unknown: RoomView): Promise<RoomView> {
  const row = await readTicket(parts.ledger.db, ticket.room, ticket.number)
  // The ledger's word stands. One that lives there and not in the line is somebody else's by now: it was adopted.
  if (row !== null) return hasEnded(row) && row.identity === ticket.identity ? { ...unknown, ...viewOf(row) } : unknown
  if (ticket.epoch >= parts.epoch) return unknown
  const { number, identity, generation, place, epoch, joinedAt } = ticket
  const reply = await parts.restore({ number, identity, generation, place, epoch, joinedAt, class: ticket.class })
  return 'state' in reply ? reply : unknown
}

/** Ending a ticket twice answers as the first time, also when only the ledger remembers that it ended. */
export async function findEnded(
  ledger: Ledger,
  room: string,
  request: EndRequest,
  reply: EndReply & { status: 'unknown' },
): Promise<EndReply> {
  const row = await readTicket(ledger.db, room, request.number)
  if (row === null || !hasEnded(row)) return reply
  if (request.as !== 'terminated') {
    if (row.identity !== request.identity) return reply
    if (row.generation > request.generation) return { status: 'moved', seq: reply.seq }
  }
  const floor = { rank: null, deadline: null, fence: null }
  return { status: 'was_ended', ...viewOf(row), ...floor, waiting: 0, seq: reply.seq, now: row.joinedAt }
}

const hasEnded = ({ state }: TicketRow): boolean => state === 'completed' || state === 'expired'

function viewOf(row: TicketRow) {
  const { number, state, reason, away, place, class: ticketClass, generation, joinedAt, extended } = row
  return { number, state, reason, away, place, class: ticketClass, generation, joinedAt, extended }
}

import type { JoinReply, RestoreRequest, TicketView } from '@seatwise/line'
import { type Ledger, readTicket, type TicketRow } from '@seatwise/seats'
import type { TicketClaims } from './room.ts'

export interface FindParts {
  readonly ledger: Ledger
  readonly epoch: number
  readonly restore: (request: RestoreRequest) => Promise<JoinReply>
}

/**
 * A ticket that the line does not know. Either it ended and the ledger has it, or it was drawn in an epoch that was
 * lost before the ledger saw it: then its token brings it back, at exactly its old place (R21).
 */
export async function findForgotten(parts: FindParts, ticket: TicketClaims, unknown: TicketView): Promise<TicketView> {
  const row = await readTicket(parts.ledger.db, ticket.room, ticket.number)
  // The ledger's word stands.
  if (row !== null) return row.identity === ticket.identity ? endedView(row, unknown) : unknown
  if (ticket.epoch >= parts.epoch) return unknown
  const { number, identity, generation, place, epoch, joinedAt } = ticket
  const reply = await parts.restore({ number, identity, generation, place, epoch, joinedAt, class: ticket.class })
  return 'state' in reply ? reply : unknown
}

function endedView(row: TicketRow, unknown: TicketView): TicketView {
  return {
    ...unknown,
    state: row.state,
    reason: row.reason,
    away: row.away,
    place: row.place,
    class: row.class,
    generation: row.generation,
    joinedAt: row.joinedAt,
    extended: row.extended,
  }
}

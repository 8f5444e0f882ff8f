import { SeatwiseError } from '@seatwise/domain'
import { isAboutTheWork, type Ledger, readTickets, type TicketRow } from '@seatwise/ledger'
import { createBatcher, type EndReply, type EndRequest, type JoinReply, type RestoreRequest } from '@seatwise/line'
import type { OfEpoch, RoomView, TicketClaims } from './room.ts'

const TOGETHER_MAX = 500
const LOOK_UPS_MAX = 20_000

/** A ticket as the ledger has it; null when it has none. */
export type LookUp = (number: number) => Promise<TicketRow | null>

/** When an event sells out all tickets end at once, and all their visitors poll: look-ups are batched. */
export function createLookUp(ledger: Ledger, room: string): LookUp {
  const batcher = createBatcher<number, TicketRow | null>({
    ...{ maxItems: TOGETHER_MAX, maxQueued: LOOK_UPS_MAX, isAboutItems: isAboutTheWork },
    async run(numbers) {
      const rows = await readTickets(ledger.db, room, numbers)
      const byNumber = new Map(rows.map((row) => [row.number, row]))
      return numbers.map((number) => byNumber.get(number) ?? null)
    },
  })
  return (number) => batcher.send(number)
}

export interface FindParts {
  readonly lookUp: LookUp
  readonly epoch: number
  readonly restore: (request: RestoreRequest) => Promise<JoinReply & OfEpoch>
}

/**
 * Finds a ticket that the line does not know. Either it ended and the ledger has it, or it was drawn in an epoch that
 * was lost before the ledger saw it: then its token restores it, at exactly its old place (R21).
 */
export async function findForgotten(parts: FindParts, ticket: TicketClaims, unknown: RoomView): Promise<RoomView> {
  const row = await lookUpGroup(parts.lookUp, ticket.number)
  if (row?.leftIdentity === ticket.identity) return { ...unknown, ...viewOf(asLeft(row, ticket)) }
  // The ledger decides. A ticket that it has under another identity was adopted by an account.
  if (row !== null && row.identity !== ticket.identity) return unknown
  // Either the line lost it and is about to be rebuilt, or the ledger has not followed its end yet. A visitor who was told
  // that the ticket is unknown would join again, at the back.
  if (row !== null && !hasEnded(row)) throw new SeatwiseError('UNAVAILABLE', { retryAfterSeconds: 1 })
  if (row !== null) return { ...unknown, ...viewOf(row) }
  if (ticket.epoch >= parts.epoch) return unknown
  const { number, identity, generation, place, epoch, joinedAt } = ticket
  const reply = await parts.restore({ number, identity, generation, place, epoch, joinedAt, class: ticket.class })
  return 'state' in reply ? reply : unknown
}

/** Ending a ticket is idempotent, also when only the ledger still has it. */
export async function findEnded(
  lookUp: LookUp,
  request: EndRequest,
  reply: EndReply & { status: 'unknown' },
): Promise<EndReply> {
  const row = await lookUpGroup(lookUp, request.number)
  if (row?.leftIdentity === request.identity) {
    return { status: 'was_ended', ...viewOf(asLeft(row, request)), ...OFF_FLOOR, seq: reply.seq, now: row.joinedAt }
  }
  if (row === null || !hasEnded(row)) return reply
  if (request.as !== 'terminated') {
    if (row.identity !== request.identity) return reply
    if (row.generation > request.generation) return { status: 'moved', seq: reply.seq }
  }
  return { status: 'was_ended', ...viewOf(row), ...OFF_FLOOR, seq: reply.seq, now: row.joinedAt }
}

const OFF_FLOOR = { rank: null, deadline: null, fence: null, waiting: 0 }

/** A visitor who stands with a group's ticket is where that ticket is. Rule L151. */
async function lookUpGroup(lookUp: LookUp, number: number): Promise<TicketRow | null> {
  const own = await lookUp(number)
  const ticket = own === null || own.standsWith === null ? null : await lookUp(own.standsWith)
  if (own === null || ticket === null) return own
  const { identity, generation, joinedAt } = own
  return { ...ticket, number, identity, generation, joinedAt, leftIdentity: null }
}

/** The row of a ticket that a group goes on with, as the visitor who left it may see it. Rule L152. */
function asLeft(row: TicketRow, { generation }: { generation: number }): TicketRow {
  return { ...row, generation, state: 'expired', reason: 'cancelled', away: false }
}

const hasEnded = ({ state }: TicketRow): boolean => state === 'completed' || state === 'expired'

function viewOf(row: TicketRow) {
  const { number, state, reason, away, place, class: ticketClass, generation, joinedAt, extended } = row
  return { number, state, reason, away, back: false, place, class: ticketClass, generation, joinedAt, extended }
}

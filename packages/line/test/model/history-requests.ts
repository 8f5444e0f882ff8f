import type { JoinRequest, LoadedTicket } from '../../src/index.ts'
import type { Visitor } from './commands.ts'
import type { ModelTicket } from './model-ticket.ts'

/* What the runner of a history makes of a command's plain data. */

const FAR_FUTURE = 4_000_000_000_000

export function identityOf(visitor: number): string {
  return `visitor-${visitor}`
}

export function joinRequestOf({ visitor, class: ticketClass, code, limited, shown }: Visitor): JoinRequest {
  const name = `Visitor ${visitor}`
  return {
    identity: identityOf(visitor),
    class: ticketClass,
    profile: JSON.stringify({ name }),
    ...(code > 0 && { code: `code-${code}` }),
    // Some of them in a room that counts without a limit: the count must be right when a limit is set later.
    ...(limited && { limit: { key: 'address', max: visitor % 3 === 0 ? 0 : 2 } }),
    // Some of a device that drew the first tickets of the room.
    ...(shown && visitor % 4 === 1 && { held: { numbers: [1, 3, 90], max: 1 + (visitor % 3) } }),
    // Some visitors of a higher class share a proof, so that it is spent twice; some lack theirs.
    ...(ticketClass === 2 && code === 0 && { proof: limited ? null : { key: 'a-proof', until: FAR_FUTURE, forMs: 0 } }),
    ...(shown && { shown: { name, avatar: visitor % 2 === 0 ? null : 'a.png' } }),
  }
}

export function loadedFrom(ticket: ModelTicket): LoadedTicket {
  const { number, identity, class: ticketClass, place, generation, joinedAt, state, deadline, session, fence } = ticket
  const { extended, reservedSeats, limitKey, shown } = ticket
  if (state === 'completed' || state === 'expired') throw new Error(`Ticket ${number} has ended`)
  return {
    ...{ number, identity, class: ticketClass, place, generation, joinedAt, state, away: ticket.away },
    ...{ deadline, sessionEnd: state === 'active' ? session : null, fence, extended, reservedSeats, limitKey, shown },
  }
}

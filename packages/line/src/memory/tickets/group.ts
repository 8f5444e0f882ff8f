import type { JoinReply } from '../../contract.ts'
import { append, type Room, rankOf } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'
import { endTicket, keepEnded, releaseCompanion, releaseLimit } from './end-ticket.ts'
import type { Found } from './find-ticket.ts'
import { seeTicket } from './see-ticket.ts'

export type GroupRefusal = Extract<JoinReply['status'], 'drawing' | 'group_over' | 'group_full' | 'in_group'>

/** All who stand with a ticket: by their own tickets, in order of number. */
export function peopleOf(ticket: Ticket): Ticket[] {
  const people = isVacant(ticket) ? ticket.companions : [ticket, ...ticket.companions]
  return people.toSorted((one, other) => one.number - other.number)
}

/** Why a visitor, who may stand somewhere already, cannot join a group; null when they can, or have. Rule L153. */
export function refuseGroup(room: Room, number: number, own: Ticket | null): GroupRefusal | null {
  if (room.draw?.progress === 'sealed') return 'drawing'
  const ticket = ticketToJoin(room, number)
  if (ticket === undefined) return 'group_over'
  if (own === ticket) return null
  if (own !== null && own.companions.length > 0) return 'in_group'
  if (own !== null && own.state !== 'waiting') return 'group_over'
  return peopleOf(ticket).length >= room.settings.groupMax ? 'group_full' : null
}

/** Two waiting tickets become one at the later place: returns where `own` stands now. Rule L150. */
export function standTogether(room: Room, number: number, own: Ticket, operation: string): Ticket {
  const ticket = ticketToJoin(room, number)
  if (ticket === undefined) throw new Error(`The group of ticket ${number} was not asked for before`)
  if (ticket === own) return own
  seeTicket(room, ticket, operation)
  const [kept, merged] = inOrder(room, ticket, own)
  const came = merged.companions.splice(0)
  const isOver = isVacant(merged)
  const news = isOver ? { merged: null, fromRank: null } : { merged: merged.number, fromRank: rankOf(room, merged) }
  if (!isOver) {
    room.line.remove(merged.place, merged.number)
    room.tickets.delete(merged.number)
    came.push(merged)
  }
  for (const companion of came) {
    companion.standsWith = kept
    kept.companions.push(companion)
    room.companions.set(companion.number, companion)
  }
  log(room, kept, { ...news, left: null }, operation)
  // A ticket without a visitor of its own has none left.
  if (isOver) endTicket(room, merged, 'cancelled', operation)
  return kept
}

/** A visitor leaves others behind, who keep the place. Returns the visitor's own ticket, which has ended. Rule L152. */
export function leaveGroup(room: Room, { ticket, own }: Found, operation: string): Ticket {
  let left = own
  if (own === ticket) {
    left = { ...own, state: 'expired', reason: 'cancelled', away: false, floor: null, companions: [] }
    room.identities.delete(own.identity)
    releaseLimit(room, own.limitKey)
    Object.assign(own, { identity: `${VACANT}${own.number}`, limitKey: null, shown: null })
    room.identities.set(own.identity, own)
  } else {
    ticket.companions = ticket.companions.filter((companion) => companion !== own)
    releaseCompanion(room, own, 'cancelled')
  }
  const seq = log(room, ticket, { merged: null, fromRank: null, left: own.number }, operation)
  if (own !== ticket) keepEnded(room, [own], seq)
  return left
}

/** In place of the identity of a visitor who left the group that their ticket goes on with. */
const VACANT = '!'

function isVacant({ identity }: Ticket): boolean {
  return identity.startsWith(VACANT)
}

/** The waiting ticket that the visitor of this number stands with. */
function ticketToJoin(room: Room, number: number): Ticket | undefined {
  const inviter = room.tickets.get(number) ?? room.companions.get(number)
  if (inviter === undefined || isVacant(inviter)) return undefined
  const ticket = inviter.standsWith ?? inviter
  return ticket.state === 'waiting' ? ticket : undefined
}

/** The ticket that is further back first. Before a draw the class decides first, because it will. */
function inOrder(room: Room, one: Ticket, other: Ticket): readonly [Ticket, Ticket] {
  const isByClass = room.draw?.progress === 'announced' && one.class !== other.class
  const isFirst = isByClass
    ? one.class < other.class
    : one.place > other.place || (one.place === other.place && one.number > other.number)
  return isFirst ? [one, other] : [other, one]
}

interface GroupNews {
  readonly merged: number | null
  readonly fromRank: number | null
  readonly left: number | null
}

function log(room: Room, ticket: Ticket, news: GroupNews, operation: string): number {
  const members = peopleOf(ticket).map(({ number }) => number)
  return append(room, operation, { kind: 'grouped', number: ticket.number, members, ...news })
}

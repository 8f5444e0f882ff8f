import { listRoomsOfGuest } from '@seatwise/ledger'
import type { RoomServices } from './room-services.ts'
import { ownNumber } from './routes/tell-visitor.ts'
import { ticketId } from './tokens/ticket-token.ts'

export interface AdoptedTicket {
  readonly roomId: string
  readonly ticketId: string
  /** Replaces the guest's ticket token, which is no longer accepted. */
  readonly ticketToken: string
}

type Parts = Pick<RoomServices, 'ledger' | 'rooms' | 'roomTokens' | 'log'>

/** A guest that an account has adopted, as the ledger records it. */
export interface LineAdoption {
  readonly guestId: string
  readonly userId: string
  /** The identity under which rooms know the guest. */
  readonly identity: string
}

/** A guest waits in a few lines, not in hundreds. */
const ROOMS_MAX = 50

/**
 * Moves the live tickets of an adopted guest to the account, in every room where the account has no ticket. The ledger
 * has committed the adoption; the lines follow, and failed ones are retried (see follow-adoptions.ts).
 */
export async function adoptTickets(parts: Parts, adoption: LineAdoption): Promise<AdoptedTicket[]> {
  const found = await findRooms(parts, adoption.identity)
  const adopted = await Promise.all([...found].map((roomId) => adoptTicket(parts, roomId, adoption)))
  return adopted.filter((ticket) => ticket !== null)
}

/** Rooms where the ledger has a ticket of the guest, and open rooms that admit guests, because the ledger may lag. */
async function findRooms({ ledger, rooms }: Parts, identity: string): Promise<Set<string>> {
  const open = [...rooms.openRooms()].filter(({ settings }) => settings.guests).map(({ id }) => id)
  const known = await listRoomsOfGuest(ledger.db, identity, ROOMS_MAX)
  return new Set([...known, ...open.slice(0, ROOMS_MAX)])
}

/** Moves the ticket in one room. Never fails: an unreachable line is retried later. */
export async function adoptTicket(
  { rooms, roomTokens, log }: Omit<Parts, 'ledger'>,
  roomId: string,
  { guestId, userId, identity: fromIdentity }: LineAdoption,
): Promise<AdoptedTicket | null> {
  try {
    const room = await rooms.byId(roomId)
    const toIdentity = roomTokens.identities.of(userId)
    // A guest is adopted once, so every retry is the same operation.
    const reply = await room.adopt({ fromIdentity, toIdentity, userId, operation: `adopt-${guestId}` })
    if (reply.status !== 'adopted') return null
    const claims = { ...reply, number: ownNumber(reply), identity: toIdentity, room: room.id }
    return { roomId, ticketId: ticketId(room.id, reply.number), ticketToken: roomTokens.tickets.issue(claims) }
  } catch (err) {
    log.warn({ err, room: roomId }, 'the ticket of an adopted guest could not be moved, trying again later')
    return null
  }
}

import { randomUUID } from 'node:crypto'
import { adoptReservations, listRoomsOfGuest } from '@seatwise/seats'
import type { Services } from '../services.ts'
import type { Room } from './room.ts'
import { ticketId } from './tokens/ticket-id.ts'

export interface AdoptedTicket {
  readonly roomId: string
  readonly ticketId: string
  /** The guest's own is unknown from now on. */
  readonly ticketToken: string
}

type Parts = Pick<Services, 'ledger' | 'rooms' | 'roomTokens' | 'log'>

/** A guest stands in a few lines, not in hundreds. */
const ROOMS_MAX = 50

/**
 * Gives the live tickets of a guest to an account, in every room, unless it has its own there. A room that cannot be
 * reached keeps nobody from signing in: the guest's ticket stays good, and signing in again tries again.
 */
export async function adoptTickets(parts: Parts, guestId: string, userId: string): Promise<AdoptedTicket[]> {
  const { identities } = parts.roomTokens
  const wanted = { guestId, fromIdentity: identities.of(guestId), toIdentity: identities.of(userId), userId }
  const found = await findRooms(parts, wanted.fromIdentity)
  const adopted = await Promise.all([...found].map((roomId) => adoptIn(parts, roomId, wanted)))
  return adopted.filter((ticket) => ticket !== null)
}

/** Those where the ledger knows a ticket of the guest, and those open here that take guests: it may lag behind. */
async function findRooms({ ledger, rooms }: Parts, identity: string): Promise<Set<string>> {
  const open = [...rooms.standing()].filter(({ settings }) => settings.guests).map(({ id }) => id)
  const known = await listRoomsOfGuest(ledger.db, identity, ROOMS_MAX)
  return new Set([...known, ...open.slice(0, ROOMS_MAX)])
}

async function adoptIn(
  { ledger, rooms, roomTokens, log }: Parts,
  roomId: string,
  { guestId, ...wanted }: { guestId: string; fromIdentity: string; toIdentity: string; userId: string },
): Promise<AdoptedTicket | null> {
  try {
    const room: Room = await rooms.byId(roomId)
    const reply = await room.adopt({ ...wanted, operation: randomUUID() })
    if (reply.status !== 'adopted') return null
    const { userId } = wanted
    await adoptReservations(ledger.db, { roomId, ticketNumber: reply.number, guestId, userId })
    const claims = { ...reply, identity: wanted.toIdentity, room: room.id }
    return { roomId, ticketId: ticketId(room.id, reply.number), ticketToken: roomTokens.tickets.issue(claims) }
  } catch (err) {
    log.warn({ err, room: roomId }, 'the ticket of a guest who signed in could not be given to the account')
    return null
  }
}

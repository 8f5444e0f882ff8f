import { listRoomsOfGuest } from '@seatwise/ledger'
import type { RoomServices } from './room-services.ts'
import { ticketId } from './tokens/ticket-id.ts'

export interface AdoptedTicket {
  readonly roomId: string
  readonly ticketId: string
  /** The guest's own is unknown from now on. */
  readonly ticketToken: string
}

type Parts = Pick<RoomServices, 'ledger' | 'rooms' | 'roomTokens' | 'log'>

/** A guest whom an account has adopted, as far as the ledger is concerned. */
export interface LineAdoption {
  readonly guestId: string
  readonly userId: string
  /** By which rooms know the guest. */
  readonly identity: string
}

/** A guest stands in a few lines, not in hundreds. */
const ROOMS_MAX = 50

/**
 * Gives the live tickets of an adopted guest to the account, in every room, unless it has its own there. The ledger has
 * decided; the lines follow, and what one of them missed it is told again (see follow-adoptions.ts).
 */
export async function adoptTickets(parts: Parts, adoption: LineAdoption): Promise<AdoptedTicket[]> {
  const found = await findRooms(parts, adoption.identity)
  const adopted = await Promise.all([...found].map((roomId) => adoptTicket(parts, roomId, adoption)))
  return adopted.filter((ticket) => ticket !== null)
}

/** Those where the ledger knows a ticket of the guest, and those open here that take guests: it may lag behind. */
async function findRooms({ ledger, rooms }: Parts, identity: string): Promise<Set<string>> {
  const open = [...rooms.openRooms()].filter(({ settings }) => settings.guests).map(({ id }) => id)
  const known = await listRoomsOfGuest(ledger.db, identity, ROOMS_MAX)
  return new Set([...known, ...open.slice(0, ROOMS_MAX)])
}

/** In one room. Never fails: a line that cannot be reached now is told later. */
export async function adoptTicket(
  { rooms, roomTokens, log }: Omit<Parts, 'ledger'>,
  roomId: string,
  { guestId, userId, identity: fromIdentity }: LineAdoption,
): Promise<AdoptedTicket | null> {
  try {
    const room = await rooms.byId(roomId)
    const toIdentity = roomTokens.identities.of(userId)
    // A guest is adopted once: however often a line is told, it is the same operation.
    const reply = await room.adopt({ fromIdentity, toIdentity, userId, operation: `adopt-${guestId}` })
    if (reply.status !== 'adopted') return null
    const claims = { ...reply, identity: toIdentity, room: room.id }
    return { roomId, ticketId: ticketId(room.id, reply.number), ticketToken: roomTokens.tickets.issue(claims) }
  } catch (err) {
    log.warn({ err, room: roomId }, 'a line has not heard yet that a guest signed in')
    return null
  }
}

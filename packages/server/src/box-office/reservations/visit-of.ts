import { hasReserved, readReservationOfTicket, readTicketOwners } from '@seatwise/ledger'
import type { Position, Room, RoomView, Visit } from '../../rooms/index.ts'
import { showReservation } from '../../wire/index.ts'
import type { TellParts } from './tell-line.ts'

/**
 * What a visitor on the floor has reserved, beside their position. In a room that reserves on admission, a visitor is
 * not told that it is their turn before they have a seat. The line works while the ledger is down; the reservation is
 * left out then, and never keeps a visitor from reading their position.
 */
export async function visitOf({ ledger, log }: TellParts, room: Room, position: Position): Promise<Visit> {
  const { state, number } = position.view
  if (room.row.eventId === null || (state !== 'active' && state !== 'admitted')) return { position, reservation: null }
  try {
    const reservation = await readReservationOfTicket(ledger.db, room.id, number)
    if (reservation !== null) return { position, reservation: showReservation(reservation) }
    const isSecret = room.settings.reserveOnAdmit && (await isBeingServed(ledger.db, room.id, number))
    return { position: isSecret ? { ...position, view: atTheHead(position.view) } : position, reservation: null }
  } catch (err) {
    log.warn({ err, room: room.id }, 'a reservation could not be read for a visitor on the floor')
    return { position, reservation: null }
  }
}

/**
 * A server is about to reserve for this ticket. Not for a ticket that came back from a lost epoch: its owner is
 * unknown.
 */
async function isBeingServed(db: TellParts['ledger']['db'], roomId: string, number: number): Promise<boolean> {
  const [owner] = await readTicketOwners(db, roomId, [number])
  if (owner !== undefined && owner.buyerId === null) return false
  return !(await hasReserved(db, roomId, number))
}

function atTheHead(view: RoomView): RoomView {
  return { ...view, state: 'waiting', rank: 0, deadline: null, fence: null }
}

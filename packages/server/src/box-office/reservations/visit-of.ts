import { hasReserved, readReservationOfTicket, readTicketOwners } from '@seatwise/ledger'
import type { Position, Room, RoomView, Visit } from '../../rooms/index.ts'
import { showReservation } from '../../wire/index.ts'
import type { TellParts } from './tell-line.ts'

/**
 * What somebody on the floor has reserved, beside where they stand. In a room that reserves on admission nobody is told
 * that it is their turn before they have a seat. The line works while the ledger is away, so that all of this is left
 * out then and never keeps anybody from hearing where they stand.
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
    log.warn({ err, room: room.id }, 'a visitor is not told of their reservation')
    return { position, reservation: null }
  }
}

/** Somebody is about to reserve for them. Not for a ticket that came back from a lost epoch: nobody knows for whom. */
async function isBeingServed(db: TellParts['ledger']['db'], roomId: string, number: number): Promise<boolean> {
  const [owner] = await readTicketOwners(db, roomId, [number])
  if (owner !== undefined && owner.buyerId === null) return false
  return !(await hasReserved(db, roomId, number))
}

function atTheHead(view: RoomView): RoomView {
  return { ...view, state: 'waiting', rank: 0, deadline: null, fence: null }
}

import { hasReserved, type Ledger, readReservationOfTicket, readTicketOwners } from '@seatwise/ledger'
import type { Logger } from 'pino'
import type { Pulse } from '../../kit/index.ts'
import type { Position, Room, RoomView, Visit } from '../../rooms/index.ts'
import { showReservation } from '../../wire/index.ts'

export interface VisitParts {
  readonly ledger: Ledger
  readonly pulse: Pulse
  readonly log: Logger
}

/**
 * What a visitor on the floor has reserved, beside their position. In a room that reserves on admission, a visitor is
 * not told that it is their turn before they have a seat. The line works while the ledger is down; the reservation is
 * left out then, and never keeps a visitor from reading their position.
 */
export async function visitOf({ ledger, pulse, log }: VisitParts, room: Room, position: Position): Promise<Visit> {
  const { state, number } = position.view
  if (room.row.eventId === null || (state !== 'active' && state !== 'admitted')) return { position, reservation: null }
  try {
    return await pulse.ask(async () => {
      const reservation = await readReservationOfTicket(ledger.db, room.id, number)
      if (reservation !== null) return { position, reservation: showReservation(reservation) }
      const isSecret = room.settings.reserveOnAdmit && (await isBeingServed(ledger.db, room.id, number))
      return { position: isSecret ? { ...position, view: atTheHead(position.view) } : position, reservation: null }
    })
  } catch (err) {
    // The pulse has logged that the ledger is away; there is no more to tell for each visitor.
    if (!pulse.isAway) log.warn({ err, room: room.id }, 'a reservation could not be read for a visitor on the floor')
    return { position, reservation: null }
  }
}

/**
 * A server is about to reserve for this ticket. Not for a ticket that came back from a lost epoch: its owner is
 * unknown.
 */
async function isBeingServed(db: Ledger['db'], roomId: string, number: number): Promise<boolean> {
  const [owner] = await readTicketOwners(db, roomId, [number])
  if (owner !== undefined && owner.buyerId === null) return false
  return !(await hasReserved(db, roomId, number))
}

function atTheHead(view: RoomView): RoomView {
  return { ...view, state: 'waiting', rank: 0, deadline: null, fence: null }
}

import { loadStatement } from '../../engine/index.ts'
import type { News } from '../../outbox/index.ts'
import type { OpenSeatMap } from '../../seat-map/index.ts'
import { answersToForget } from '../answers/forget-answers.ts'

const END_RESERVATIONS = loadStatement(import.meta.url, 'end-reservations.sql')

/** A reservation that ended without being paid; its ticket holds nothing any more. */
export interface EndedReservation {
  readonly reservationId: string
  readonly buyerId: string
  readonly roomId: string | null
  readonly ticketNumber: number | null
}

/**
 * Ends reservations that were read as pending under the same lock; one that is not pending is a bug. What their buyers
 * answered is deleted.
 */
export async function endReservations(
  map: OpenSeatMap,
  ids: readonly string[],
  status: 'EXPIRED' | 'CANCELED',
): Promise<EndedReservation[]> {
  if (ids.length === 0) return []
  const [ended] = await map.transaction.together<[EndedReservation[], ...unknown[][]]>([
    { statement: END_RESERVATIONS, parameters: [ids, status, map.at] },
    ...answersToForget(ids),
  ])
  if (ended.length !== ids.length) throw new RangeError(`${ids.length - ended.length} reservations were not pending`)
  return ended
}

export function newsOfEnd(map: OpenSeatMap, ended: EndedReservation, status: 'EXPIRED' | 'CANCELED'): News {
  const { reservationId, ...rest } = ended
  return {
    about: 'reservation',
    reservationId,
    type: status === 'EXPIRED' ? 'reservation.expired' : 'reservation.canceled',
    payload: { id: reservationId, eventId: map.eventId, status, ...rest, at: map.at },
  }
}

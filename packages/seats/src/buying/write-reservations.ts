import { loadStatement, runStatement } from '../statement.ts'
import type { Placed } from './decide-claims.ts'
import type { OpenSeatMap } from './seat-map.ts'

const WRITE_RESERVATIONS = loadStatement(import.meta.url, 'write-reservations.sql')

/** Runs write-reservations.sql: however many claims succeeded, it is one statement. */
export async function writeReservations(map: OpenSeatMap, placed: readonly Placed[]): Promise<void> {
  if (placed.length === 0) return
  const items = placed.flatMap((one) => one.reservation.items.map((item) => ({ ...item, of: one })))
  await runStatement(map.transaction, WRITE_RESERVATIONS, [
    map.eventId,
    map.at,
    placed.map(({ reservation }) => reservation.id),
    placed.map(({ reservation }) => reservation.buyerId),
    placed.map(statusOf),
    placed.map(({ reservation }) => reservation.amount),
    placed.map(({ reservation }) => reservation.currency),
    placed.map(({ reservation }) => reservation.expiresAt),
    placed.map(({ claim }) => claim.roomId),
    placed.map(({ claim }) => claim.ticketNumber),
    placed.map(({ claim }) => claim.fence),
    placed.map(({ claim }) => claim.operation.actorId),
    placed.map(({ claim }) => claim.operation.key),
    placed.map(({ claim }) => claim.operation.fingerprint),
    placed.map(({ reservation }) => JSON.stringify(reservation)),
    items.map(({ of }) => of.reservation.id),
    items.map(({ seatId }) => seatId),
    items.map(({ seatTypeId }) => seatTypeId),
    items.map(({ price }) => price),
    items.map(({ of }) => statusOf(of)),
  ])
}

const statusOf = ({ isReplaced }: Placed): string => (isReplaced ? 'CANCELED' : 'PENDING_PAYMENT')

import { faults } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, type Primary, runStatement, type Schema } from '../../engine/index.ts'
import { tell } from '../../outbox/index.ts'
import { openDesk, readKeptSeats, setSeats, type WithMap, withSeatMap } from '../../seat-map/index.ts'
import { OVERDUE_MAX, readOverdue } from '../claims/read-facts.ts'
import { type EndedReservation, endReservations, newsOfEnd } from './end-reservations.ts'

export interface Expiry {
  readonly expired: readonly EndedReservation[]
  /** There may be more: call again. */
  readonly isFull: boolean
}

/**
 * Ends the holds of an event that have expired by the ledger's clock, and returns their seats. Any number of servers may
 * call it at once: the lock orders them, and the second finds nothing. Null when there is no such event.
 */
export async function expireReservations(ledger: Primary, eventId: string): Promise<WithMap<Expiry> | null> {
  const outcome = await withSeatMap(ledger, eventId, async (map) => {
    const overdue = await readOverdue(map, OVERDUE_MAX)
    const desk = openDesk(await readKeptSeats(map.transaction, overdue), map.counts)
    for (const id of overdue) desk.release(id)
    const expired = await endReservations(map, overdue, 'EXPIRED')
    await setSeats(map, desk)
    await tell(
      map.transaction,
      expired.map((ended) => newsOfEnd(map, ended, 'EXPIRED')),
    )
    if (faults.on) await faults.reach('expire.inside-transaction')
    return { result: { expired, isFull: overdue.length === OVERDUE_MAX }, moves: desk.moves() }
  })
  if (faults.on) await faults.reach('expire.after-commit')
  return outcome
}

/** Events with expired holds. */
export async function eventsWithOverdueHolds(db: Kysely<Schema>, max: number): Promise<string[]> {
  const rows = await runStatement<{ eventId: string }>(db, FIND_OVERDUE_EVENTS, [max])
  return rows.map(({ eventId }) => eventId)
}

const FIND_OVERDUE_EVENTS = loadStatement(import.meta.url, 'find-overdue-events.sql')

import type { ReservationState } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, type PurchaseStatus, runStatement, type Schema } from '../../engine/index.ts'
import type { PageMark } from '../../events/index.ts'
import { type ReservationRow, readReservations } from '../../reservations/index.ts'

export interface ReservationSearch {
  readonly eventId: string
  /** Null for all. */
  readonly status: ReservationState | null
  /** An id, a part of a name or an address, or a seat such as `B 12`; empty finds all. */
  readonly words: string
  readonly limit: number
  readonly after: PageMark | null
}

/** A reservation as its organiser sees it: with its buyer and its payment. */
export interface FoundReservation extends ReservationRow {
  /** Guests have no address. */
  readonly buyer: { readonly id: string; readonly email: string | null; readonly name: string | null }
  /** The payment that was tried last. */
  readonly purchase: {
    readonly id: string
    readonly status: PurchaseStatus
    /** Also those with money that is on its way. */
    readonly refundedSeatIds: readonly string[]
  } | null
}

export interface FoundReservations {
  readonly items: readonly FoundReservation[]
  readonly next: PageMark | null
}

/** The reservations of an event, the newest first; with words only those they are about. */
export async function findReservations(db: Kysely<Schema>, search: ReservationSearch): Promise<FoundReservations> {
  const { eventId, status, limit, after } = search
  const page = [eventId, status, limit + 1, after?.at ?? null, after?.id ?? null]
  const rows = await runStatement<FoundRow>(db, FIND_RESERVATIONS, [...page, ...wordParameters(search.words)])
  const shown = rows.slice(0, limit)
  const reservations = await readReservations(
    db,
    shown.map(({ id }) => id),
  )
  const byId = new Map(reservations.map((reservation) => [reservation.id, reservation]))
  const last = shown.at(-1)
  return {
    items: shown.flatMap((row) => describe(row, byId.get(row.id))),
    next: rows.length > limit && last !== undefined ? { score: null, at: last.at, id: last.id } : null,
  }
}

const FIND_RESERVATIONS = loadStatement(import.meta.url, 'find-reservations.sql')

interface FoundRow {
  id: string
  at: string
  email: string | null
  name: string | null
  purchaseId: string | null
  purchaseStatus: PurchaseStatus | null
  refundedSeatIds: string[]
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function wordParameters(text: string): [id: string | null, words: string | null, seat: string | null] {
  const words = text.trim()
  if (words === '') return [null, null, null]
  if (UUID.test(words)) return [words, null, null]
  // "B 12", "b-12" and "B/12" are one seat.
  return [null, words, words.replace(/[\s/,.-]+/g, '')]
}

function describe(row: FoundRow, reservation: ReservationRow | undefined): FoundReservation[] {
  if (reservation === undefined) return []
  const { email, name, purchaseId: id, purchaseStatus: status, refundedSeatIds } = row
  const purchase = id === null || status === null ? null : { id, status, refundedSeatIds }
  return [{ ...reservation, buyer: { id: reservation.buyerId, email, name }, purchase }]
}

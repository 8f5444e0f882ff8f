import type { GivenAnswers } from '@seatwise/domain'
import { inTransaction, loadStatement, type Primary } from '../../engine/index.ts'
import { isOwn } from '../../operations/index.ts'
import { NAME_ADDRESSEE, type NamedAddressee } from '../addressee/name-addressee.ts'
import { type ReservationRow, readReservation } from '../read-reservations.ts'

const SAVE_ORDER_ANSWERS = loadStatement(import.meta.url, 'save-order-answers.sql')
const SAVE_TICKET_ANSWERS = loadStatement(import.meta.url, 'save-ticket-answers.sql')

export interface SaveAnswers {
  readonly reservationId: string
  readonly buyerId: string
  readonly given: GivenAnswers
  /** The words of the consent to marketing that the buyer saw. */
  readonly marketingWords: string
  /** Who the reservation is for, when the buyer says that at the same time. */
  readonly addressee: NamedAddressee | null
}

export type SaveOutcome =
  | { readonly status: 'saved'; readonly reservation: ReservationRow }
  | { readonly status: 'unknown' }
  | { readonly status: 'not_yours' }
  /** Expired, canceled or refunded: nothing was stored. */
  | { readonly status: 'ended'; readonly reservation: ReservationRow }

/**
 * Stores what a buyer said about an order: all of it, or nothing. It takes no lock on seats; it locks the reservation
 * against its end, because the answers of an ended one are deleted.
 */
export async function saveAnswers(ledger: Primary, asked: SaveAnswers): Promise<SaveOutcome> {
  const { reservationId, buyerId, given, marketingWords, addressee } = asked
  const reservation = await readReservation(ledger.db, reservationId)
  if (reservation === null) return { status: 'unknown' }
  if (!(await isOwn(ledger.db, buyerId, reservation.buyerId))) return { status: 'not_yours' }
  const isSaved = await inTransaction(ledger, async (transaction) => {
    const order = [JSON.stringify(given.order), given.termsUrl, given.marketing, marketingWords]
    const [row] = await transaction.run(SAVE_ORDER_ANSWERS, [reservationId, ...order])
    if (row === undefined) return false
    const { tickets } = given
    if (tickets.length > 0) {
      await transaction.run(SAVE_TICKET_ANSWERS, [
        reservationId,
        tickets.map(({ seatId }) => seatId),
        tickets.map(({ name }) => name),
        tickets.map(({ answers }) => JSON.stringify(answers)),
      ])
    }
    if (addressee === null) return true
    const { email, name, language } = addressee
    const named = await transaction.run(NAME_ADDRESSEE, [reservationId, email, name, language])
    // The hold ran out between the two statements: both or neither.
    if (named.length === 0) throw new HoldIsOver()
    return true
  }).catch((error: unknown) => {
    if (error instanceof HoldIsOver) return false
    throw error
  })
  return isSaved ? { status: 'saved', reservation } : { status: 'ended', reservation }
}

class HoldIsOver extends Error {}

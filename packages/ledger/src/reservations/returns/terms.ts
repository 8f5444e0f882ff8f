import { RETURNS_OFFER_MINUTES } from '@seatwise/domain'
import { loadStatement, type Transaction } from '../../engine/index.ts'

const READ_RETURNS_TERMS = loadStatement(import.meta.url, 'read-returns-terms.sql')

export interface ReturnsTerms {
  readonly isSoldOut: boolean
  readonly isOver: boolean
  readonly salesEndAt: Date
  readonly offerMinutes: number
  readonly reservationSeconds: number
  readonly seatsPerBuyerMax: number
}

/** Null when there is no such event. */
export async function readTerms(transaction: Transaction, eventId: string): Promise<ReturnsTerms | null> {
  type Row = Omit<ReturnsTerms, 'offerMinutes'> & { readonly offerMinutes: number | null }
  const [row] = await transaction.run<Row>(READ_RETURNS_TERMS, [eventId])
  return row === undefined ? null : { ...row, offerMinutes: row.offerMinutes ?? RETURNS_OFFER_MINUTES }
}

import { type Call, prepareStatement, type Transaction } from '../engine/index.ts'

const INSERT_NEWS = prepareStatement(import.meta.url, 'insert-news.sql')

/** A fact that is true once this transaction commits. News about one reservation is delivered in order. */
export interface News {
  readonly about: 'reservation' | 'purchase'
  readonly reservationId: string
  readonly type:
    | 'reservation.created'
    | 'reservation.expired'
    | 'reservation.canceled'
    | 'offer.made'
    | 'purchase.started'
    | 'purchase.paid'
    | 'purchase.declined'
    | 'purchase.refunding'
    | 'purchase.refunded'
    | 'purchase.stuck'
    /** The buyer gets the mail with the e-tickets once more. */
    | 'purchase.resent'
    | 'event.cancelled'
    | 'event.moved'
    /** The organiser wrote to all buyers. */
    | 'event.mailed'
  readonly payload: Record<string, unknown>
}

/** A letter to an address that no reservation names. The payload has the id alone: who it concerns is read when it is sent. */
export interface Letter {
  readonly about: 'transfer' | 'return' | 'sign_in' | 'invitation'
  readonly id: string
  readonly type: 'transfer.asked' | 'return.asked' | 'sign_in.asked' | 'member.invited'
}

/** Writes the news that makes a letter go out; its link is drawn when it is sent. */
export async function tellLetter(transaction: Transaction, { about, id, type }: Letter): Promise<void> {
  await transaction.run(INSERT_NEWS, [[about], [id], [type], [JSON.stringify({ id })]])
}

/** Runs insert-news.sql. */
export async function tell(transaction: Transaction, news: readonly News[]): Promise<void> {
  await transaction.together(newsToTell(news))
}

/** The same, to be run with others. */
export function newsToTell(news: readonly News[]): Call[] {
  if (news.length === 0) return []
  const parameters = [
    news.map(({ about }) => about),
    news.map(({ reservationId }) => reservationId),
    news.map(({ type }) => type),
    news.map(({ payload }) => JSON.stringify(payload)),
  ]
  return [{ statement: INSERT_NEWS, parameters }]
}

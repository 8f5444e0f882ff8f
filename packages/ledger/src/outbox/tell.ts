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
    | 'purchase.started'
    | 'purchase.paid'
    | 'purchase.declined'
    | 'purchase.refunding'
    | 'purchase.refunded'
    | 'purchase.stuck'
  readonly payload: Record<string, unknown>
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

import { inTransaction, loadStatement, type Primary, type ReturnStatus } from '../../engine/index.ts'
import { tellLetter } from '../../outbox/index.ts'
import { readTerms } from './terms.ts'

const KEEP_REQUEST = loadStatement(import.meta.url, 'keep-request.sql')

export interface AskForReturns {
  readonly requestId: string
  readonly eventId: string
  readonly email: string
  readonly emailKey: string
  readonly language: string | null
  readonly seatTypeId: string | null
  readonly quantity: number
}

export type AskOutcome =
  /** Also when the address is on the list already: the answer does not tell which addresses are. */
  | { readonly status: 'asked' }
  | { readonly status: 'unknown' | 'unknown_type' | 'not_sold_out' | 'over' }
  | { readonly status: 'too_many'; readonly quantityMax: number }

/** Puts an address on the returns list; it counts once the link in the mail was used, from the time of asking on. */
export async function askForReturns(ledger: Primary, wish: AskForReturns): Promise<AskOutcome> {
  const { eventId, seatTypeId, quantity } = wish
  return await inTransaction(ledger, async (transaction): Promise<AskOutcome> => {
    const terms = await readTerms(transaction, eventId)
    if (terms === null) return { status: 'unknown' }
    if (terms.isOver) return { status: 'over' }
    if (seatTypeId !== null) {
      const types = transaction.db
        .selectFrom('seat_types')
        .select('id')
        .where('event_id', '=', eventId)
        .where('hidden', '=', false)
      if ((await types.where('id', '=', seatTypeId).executeTakeFirst()) === undefined) return { status: 'unknown_type' }
    }
    if (quantity > terms.seatsPerBuyerMax) return { status: 'too_many', quantityMax: terms.seatsPerBuyerMax }
    if (!terms.isSoldOut) return { status: 'not_sold_out' }
    const { requestId, email, emailKey, language } = wish
    const parameters = [requestId, eventId, email, emailKey, language, seatTypeId, quantity]
    const [kept] = await transaction.run<{ id: string; status: ReturnStatus }>(KEEP_REQUEST, parameters)
    if (kept === undefined) throw new Error('An entry that was just written is gone')
    // The owner of a confirmed address need not hear of every attempt to enter it again.
    if (kept.status === 'unconfirmed') {
      await tellLetter(transaction, { about: 'return', id: kept.id, type: 'return.asked' })
    }
    return { status: 'asked' }
  })
}

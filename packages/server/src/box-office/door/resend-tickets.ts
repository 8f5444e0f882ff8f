import { SeatwiseError } from '@seatwise/domain'
import { isOwn, type Ledger, readPurchase, resendTickets as store } from '@seatwise/ledger'
import { type Actor, requireSale } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import { mayDoOnEvent } from '../events/may-do-on-event.ts'

/** Sends the mail with the e-tickets of a purchase again. Rules B176 and B177. */
export async function resendTickets({ ledger }: { ledger: Ledger }, id: string, actor: Actor): Promise<void> {
  const purchase = isUuid(id) ? await readPurchase(ledger.db, id) : null
  if (purchase === null) throw noPurchase()
  const isBuyer = await isOwn(ledger.db, actor.id, purchase.buyerId)
  const isSeller = await mayDoOnEvent(ledger, purchase.eventId, actor, 'resend')
  if (!isBuyer && !isSeller) throw noPurchase()
  requireSale(actor, purchase.eventId)
  const outcome = await store(ledger, { purchaseId: purchase.id, by: actor.id, isOperator: !isBuyer })
  switch (outcome.status) {
    case 'sent':
      return
    case 'unknown':
      throw noPurchase()
    case 'not_paid':
      throw new SeatwiseError('NOT_PAID', { message: 'Only a purchase that is paid has e-tickets to send' })
    case 'no_address':
      throw new SeatwiseError('EMAIL_NEEDED', { message: 'This purchase has no address that mail could go to' })
    case 'too_many':
      throw new SeatwiseError('TOO_MANY_REQUESTS', {
        message: 'The e-tickets were sent several times in the last hour; look into the folder for unwanted mail',
        retryAfterSeconds: outcome.waitSeconds,
      })
  }
}

const noPurchase = () => new SeatwiseError('NOT_FOUND', { message: 'There is no such purchase' })

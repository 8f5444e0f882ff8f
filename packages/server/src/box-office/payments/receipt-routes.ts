import { SeatwiseError } from '@seatwise/domain'
import { type Purchase, type Receipt, readPurchase, readReceipts } from '@seatwise/ledger'
import { type Actor, type App, actorOf, requireSale } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import { mayDoOnEvent } from '../events/may-do-on-event.ts'
import type { Payments } from './payments.ts'
import { PurchasePath, ReceiptsAnswer } from './schemas.ts'

/** The numbered papers about a purchase: its receipt and its credit notes. */
export function receiptRoutes(app: App, { ledger }: Payments): void {
  app.get(
    '/api/purchases/:id/receipts',
    {
      config: { access: { act: 'list', on: 'purchase', orOwner: true }, sale: 'checked' },
      schema: {
        tags: ['buying'],
        summary: 'The receipt of a purchase and its credit notes, in the order of their numbers',
        description: 'Empty until a batch gives the number, within seconds after the sale.',
        params: PurchasePath,
        response: { 200: ReceiptsAnswer },
      },
    },
    async (request, reply) => {
      const { id } = await requireReadable(request.params.id, actorOf(request))
      reply.header('cache-control', 'no-store')
      const receipts = await readReceipts(ledger.db, id)
      return { items: receipts.map(describeReceipt) }
    },
  )

  /** For its buyer, and for those who see the sales of the event; for all others there is no such purchase. */
  async function requireReadable(id: string, actor: Actor): Promise<Purchase> {
    const purchase = isUuid(id) ? await readPurchase(ledger.db, id) : null
    const isReadable =
      purchase !== null &&
      (purchase.buyerId === actor.id || (await mayDoOnEvent(ledger, purchase.eventId, actor, 'list')))
    if (!isReadable) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such purchase' })
    requireSale(actor, purchase.eventId)
    return purchase
  }
}

function describeReceipt({ number, kind, amount, currency, lines, tax, seller, issuedAt }: Receipt) {
  return { number, kind, amount, currency, lines: [...lines], tax, seller, issuedAt: issuedAt.toISOString() }
}

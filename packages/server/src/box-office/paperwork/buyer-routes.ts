import { SeatwiseError } from '@seatwise/domain'
import {
  listPapers,
  type Purchase,
  type Receipt,
  readEticketsOf,
  readEvent,
  readNamedAddressee,
  readPurchase,
  readReceipts,
  readReservation,
} from '@seatwise/ledger'
import { type Actor, type App, actorOf, requireSale } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { mayDoOnEvent } from '../events/may-do-on-event.ts'
import type { Press } from './press/press.ts'
import { composeReceipt } from './receipt-paper.ts'
import { PurchasePath, ReceiptQuery } from './schemas.ts'
import { languageOf, sendPdf } from './send-pdf.ts'
import { composeTickets } from './ticket-paper.ts'

const tags = ['buying']
const config = { access: 'signed-in', sale: 'checked' } as const
/** Every sale has its number within five seconds. */
const NUMBERED_SECONDS = 5

/** What a buyer prints: the receipt, credit notes and e-tickets of a purchase. */
export function buyerPaperRoutes(app: App, services: BoxOfficeServices, press: Press): void {
  const { ledger, identity } = services
  app.get(
    '/api/purchases/:id/receipt.pdf',
    {
      config: { access: { act: 'list', on: 'purchase', orOwner: true }, sale: 'checked' },
      schema: {
        tags,
        summary: 'The receipt of a purchase; with `number` another paper of it, such as a credit note',
        description: '404 with Retry-After until a batch gives the number, within 5 s after the sale.',
        params: PurchasePath,
        querystring: ReceiptQuery,
        produces: ['application/pdf'],
      },
    },
    async (request, reply) => {
      press.refuseCrowd()
      const purchase = await requireReadable(services, request.params.id, actorOf(request))
      const receipts = await readReceipts(ledger.db, purchase.id)
      const receipt = await choose(services, purchase, receipts, request.query.number)
      const credited = receipt.kind === 'receipt' ? null : (receipts.find(({ kind }) => kind === 'receipt') ?? null)
      const facts = { receipt, creditedNumber: credited?.number ?? null, purchaseId: purchase.id }
      const paper = composeReceipt(languageOf(request, receipt.buyer.language), facts)
      return sendPdf(reply, `${receipt.kind.replace('_', '-')}-${receipt.number}`, await press.print(paper))
    },
  )
  app.get(
    '/api/purchases/:id/tickets.pdf',
    {
      config,
      schema: {
        tags,
        summary:
          'The e-tickets of a purchase of yours to print, one on each page; void and transferred ones are left out',
        params: PurchasePath,
        produces: ['application/pdf'],
      },
    },
    async (request, reply) => {
      press.refuseCrowd()
      const purchase = await requireOwn(services, request.params.id, actorOf(request))
      const { reservationId, eventId } = purchase
      const [reservation, event, addressee, all] = await Promise.all([
        readReservation(ledger.db, reservationId),
        readEvent(ledger.db, eventId),
        readNamedAddressee(ledger.db, reservationId),
        readEticketsOf(ledger.db, [reservationId]),
      ])
      // What was transferred is for its new holder to print.
      const etickets = all.filter(({ isVoid, holderId }) => !isVoid && holderId === purchase.buyerId)
      if (reservation === null || event === null || etickets.length === 0) {
        throw new SeatwiseError('NOT_FOUND', { message: 'This purchase has no valid e-tickets' })
      }
      const language = languageOf(request, addressee?.language ?? null)
      const paper = composeTickets(language, identity.keys, { reservation, event, etickets })
      return sendPdf(reply, `e-tickets-${reservationId}`, await press.print(paper))
    },
  )
}

async function choose(
  { ledger }: BoxOfficeServices,
  { id, reservationId }: Purchase,
  receipts: readonly Receipt[],
  number: number | undefined,
): Promise<Receipt> {
  const isWanted = (receipt: Receipt): boolean =>
    number === undefined ? receipt.kind === 'receipt' : receipt.number === number
  const found = receipts.find(isWanted)
  if (found !== undefined) return found
  if (number !== undefined) {
    throw new SeatwiseError('NOT_FOUND', { message: `This purchase has no receipt or credit note ${number}` })
  }
  // Payments that sold nothing never get one.
  const papers = await listPapers(ledger.db, [reservationId])
  if (!papers.some(({ purchaseId }) => purchaseId === id)) {
    throw new SeatwiseError('NOT_FOUND', { message: 'This purchase has no receipt' })
  }
  throw new SeatwiseError('NOT_FOUND', {
    message: 'The receipt has no number yet; try again in a moment',
    retryAfterSeconds: NUMBERED_SECONDS,
  })
}

/** For its buyer, and for those who see the sales of the event; for all others there is no such purchase. */
async function requireReadable({ ledger }: BoxOfficeServices, id: string, actor: Actor): Promise<Purchase> {
  const purchase = isUuid(id) ? await readPurchase(ledger.db, id) : null
  const isReadable =
    purchase !== null &&
    (purchase.buyerId === actor.id || (await mayDoOnEvent(ledger, purchase.eventId, actor, 'list')))
  if (!isReadable) throw noPurchase()
  requireSale(actor, purchase.eventId)
  return purchase
}

/** A code lets its holder in: only the buyer sees it. */
async function requireOwn({ ledger }: BoxOfficeServices, id: string, actor: Actor): Promise<Purchase> {
  const purchase = isUuid(id) ? await readPurchase(ledger.db, id) : null
  if (purchase === null || purchase.buyerId !== actor.id) throw noPurchase()
  requireSale(actor, purchase.eventId)
  return purchase
}

const noPurchase = () => new SeatwiseError('NOT_FOUND', { message: 'There is no such purchase' })

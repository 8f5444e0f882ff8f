import { SeatwiseError } from '@seatwise/domain'
import {
  type DoorSale,
  nameAddressee,
  type Purchase,
  readDoorSale,
  readEticketsOf,
  readNamedAddressee,
  readPurchase,
} from '@seatwise/ledger'
import { consoleDoorSoldPage, type DoorProblem } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import {
  type BoxOfficeServices,
  describeEticket,
  PRINTABLE_PAGE_POLICY,
  readEventId,
  renderPrintablePage,
  resendTickets,
} from '../../box-office/index.ts'
import { type App, actorOf } from '../../http/index.ts'
import { EMAIL_LENGTH_MAX, requireEmail } from '../../identity/index.ts'
import { isUuid } from '../../kit/index.ts'
import { formOf, type PageKit, queryOf } from '../../site/index.ts'

const hidden = { hide: true } as const
const SendForm = formOf({ email: Type.String({ maxLength: EMAIL_LENGTH_MAX }) })
const PATH = '/console/events/:id/door/sales/:purchaseId'
type SoldRequest = FastifyRequest<{ Params: { id: string; purchaseId: string } }>
type SendRequest = FastifyRequest<{ Params: { id: string; purchaseId: string }; Body: Static<typeof SendForm> }>

/** What was sold at the door: its codes, the page to print, and sending it by mail. */
export function doorSoldPages(app: App, services: BoxOfficeServices, kit: PageKit): void {
  const { ledger, identity } = services
  const options = { config: { access: { act: 'sell', on: 'event' } }, schema: hidden } as const
  app.get(PATH, options, async (request: SoldRequest, reply) => {
    return await show(services, kit, request, reply, await findSale(services, request), null)
  })
  app.get(`${PATH}/print`, options, async (request: SoldRequest, reply) => {
    const { purchase } = await findSale(services, request)
    const etickets = await readEticketsOf(ledger.db, [purchase.reservationId])
    const page = renderPrintablePage(etickets.map((eticket) => describeEticket(identity.keys, eticket)))
    return reply
      .headers({ 'cache-control': 'no-store', 'content-security-policy': PRINTABLE_PAGE_POLICY })
      .type('text/html; charset=utf-8')
      .send(page)
  })
  const sending = { ...options, schema: { ...hidden, body: SendForm } }
  app.post(`${PATH}/send`, sending, async (request: SendRequest, reply) => {
    const sale = await findSale(services, request)
    const { reservationId, buyerId, id } = sale.purchase
    try {
      const { address } = requireEmail(request.body.email)
      await nameAddressee(ledger.db, { reservationId, buyerId, email: address, name: null, language: null })
      await resendTickets(services, id, actorOf(request))
    } catch (error) {
      const problem = problemOf(error)
      if (problem === null) throw error
      return await show(services, kit, request, reply, sale, problem)
    }
    return reply.redirect(`/console/events/${sale.eventId}/door/sales/${id}?sent=yes`, 303)
  })
}

interface FoundSale extends DoorSale {
  readonly purchase: Purchase
}

async function findSale({ ledger }: BoxOfficeServices, request: SoldRequest): Promise<FoundSale> {
  const eventId = readEventId(request.params.id)
  const { purchaseId } = request.params
  const sale = isUuid(purchaseId) ? await readDoorSale(ledger.db, purchaseId) : null
  const purchase = sale?.eventId === eventId ? await readPurchase(ledger.db, purchaseId) : null
  if (sale === null || purchase === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such sale' })
  return { ...sale, purchase }
}

async function show(
  { ledger, identity }: BoxOfficeServices,
  kit: PageKit,
  request: FastifyRequest,
  reply: FastifyReply,
  { eventId, method, purchase }: FoundSale,
  problem: DoorProblem | null,
): Promise<FastifyReply> {
  const etickets = await readEticketsOf(ledger.db, [purchase.reservationId])
  const addressee = await readNamedAddressee(ledger.db, purchase.reservationId)
  const { id: purchaseId, amount, currency } = purchase
  const page = consoleDoorSoldPage(kit.languageOf(request), {
    ...{ eventId, purchaseId, amount, currency, method, problem },
    eventName: etickets[0]?.eventName ?? '',
    etickets: etickets.map((eticket) => describeEticket(identity.keys, eticket)),
    email: addressee?.email ?? '',
    isSent: queryOf(request, 'sent') !== undefined && problem === null,
  })
  return kit.send(request, reply, page, problem === null ? 200 : 400)
}

function problemOf(error: unknown): DoorProblem | null {
  if (!(error instanceof SeatwiseError)) return null
  switch (error.code) {
    case 'BAD_REQUEST':
    case 'EMAIL_NEEDED':
      return { code: 'noAddress' }
    case 'TOO_MANY_REQUESTS':
      return { code: 'sentOften' }
    case 'NOT_PAID':
      return { code: 'notPaid' }
    default:
      return null
  }
}

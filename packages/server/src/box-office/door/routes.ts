import { readCashUp } from '@seatwise/ledger'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { type App, actorOf } from '../../http/index.ts'
import { requireEmail } from '../../identity/index.ts'
import { sendTable } from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { readEventId } from '../events/event-id.ts'
import { venueZone } from '../events/venue-zone.ts'
import { requireKey } from '../operations/idempotency-key.ts'
import type { Payments } from '../payments/payments.ts'
import { PurchasePath } from '../payments/schemas.ts'
import { readWish } from '../reservations/read-wish.ts'
import { EventPath } from '../reservations/schemas.ts'
import { resendTickets } from './resend-tickets.ts'
import { CashUpAnswer, CashUpQuery, DoorSaleAnswer, DoorSaleBody, ResendAnswer } from './schemas.ts'
import { type DoorParts, type DoorWish, sellAtDoor } from './sell-at-door.ts'

const tags = ['door']

/** Selling at the door, the cash-up, and mail that is sent again. */
export function doorRoutes(app: App, services: BoxOfficeServices, payments: Payments): void {
  const parts = doorPartsOf(services, payments)
  app.post(
    '/api/events/:id/sales',
    {
      config: { access: { act: 'sell', on: 'event' } },
      schema: {
        tags,
        summary: 'Sell seats at the door: paid and ticketed at once, without line and pass',
        description:
          'Needs an Idempotency-Key. 409 NOT_ENOUGH_LEFT when the other seats are held, or promised to visitors on the floor.',
        params: EventPath,
        body: DoorSaleBody,
        response: { 201: DoorSaleAnswer },
      },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const answer = await sellAtDoor(parts, readDoorWish(request, eventId, requireKey(request), request.body))
      // The schema selects the fields; the stored answer is given again to the letter.
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send(answer.body as Static<typeof DoorSaleAnswer>)
    },
  )
  app.post(
    '/api/purchases/:id/resend',
    {
      config: { access: { act: 'resend', on: 'purchase', orOwner: true }, sale: 'checked' },
      schema: {
        tags: ['buying'],
        summary: 'Send the mail with the e-tickets again, to the address that the reservation is for',
        description: 'Five an hour for each purchase; 400 EMAIL_NEEDED without an address.',
        params: PurchasePath,
        response: { 202: ResendAnswer },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      await resendTickets(services, id, actorOf(request))
      return reply.code(202).header('cache-control', 'no-store').send({ id, status: 'SENDING' })
    },
  )
  cashUpRoutes(app, services)
}

function cashUpRoutes(app: App, { ledger }: BoxOfficeServices): void {
  const schema = { tags, params: EventPath, querystring: CashUpQuery }
  const read = async (id: string, day: string | undefined) => {
    const eventId = readEventId(id)
    const timeZone = await venueZone(ledger, eventId)
    return { timeZone, rows: await readCashUp(ledger.db, { eventId, timeZone, day: day ?? null }) }
  }
  app.get(
    '/api/events/:id/cash-up',
    {
      config: { access: { act: 'sell', on: 'event' } },
      schema: {
        ...schema,
        summary: 'What was taken in and paid out at the door, by day, seller and method',
        response: { 200: CashUpAnswer },
      },
    },
    async (request, reply) => {
      const { rows } = await read(request.params.id, request.query.day)
      reply.header('cache-control', 'no-store')
      return { items: rows }
    },
  )
  app.get(
    '/api/events/:id/cash-up.csv',
    {
      config: { access: { act: 'sell', on: 'event' } },
      schema: { ...schema, summary: 'The cash-up as a table', produces: ['text/csv'] },
    },
    async (request, reply) => {
      const { timeZone, rows } = await read(request.params.id, request.query.day)
      return sendTable(reply, { name: 'cash-up', timeZone, pages: onePage(rows), money: ['taken', 'paidOut'] })
    },
  )
}

async function* onePage<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows
}

/** What selling at the door is built from. */
export function doorPartsOf(
  { ledger, rooms, log, boxOffice, underWay, identity }: BoxOfficeServices,
  { count }: Pick<Payments, 'count'>,
): DoorParts {
  const monotonicNow = () => performance.now()
  return { ledger, rooms, log, seatMaps: boxOffice.seatMaps, underWay, keys: identity.keys, count, monotonicNow }
}

/** The same wish always has the same fingerprint. */
export function readDoorWish(
  request: FastifyRequest,
  eventId: string,
  key: string,
  { method, email, variants, code, ...wish }: Static<typeof DoorSaleBody>,
): DoorWish {
  const address = email === undefined ? null : requireEmail(email).address
  return { eventId, actor: actorOf(request), key, wish: readWish(wish), variants, code, method, email: address }
}

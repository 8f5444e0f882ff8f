import { SeatwiseError } from '@seatwise/domain'
import { type Eticket, readEticket, readEticketsOf, readEticketsOfHolder } from '@seatwise/ledger'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { type Actor, type App, actorOf, isOfSale, requireSale } from '../../http/index.ts'
import { isUuid, measureBuffers } from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { DoorName } from '../door/entrance/schemas.ts'
import { requireKey } from '../operations/idempotency-key.ts'
import { scanEticket } from './check-in.ts'
import { describeEticket } from './describe-eticket.ts'
import { PRINTABLE_PAGE_POLICY, renderPrintablePage } from './printable-page.ts'
import { EticketAnswer, nullable, Seat } from './schemas.ts'
import { createShortCodeGuesses } from './short-code-guesses.ts'

const tags = ['e-tickets']
const LISTED_MAX = 200

const ListQuery = Type.Object(
  { reservationId: Type.Optional(Type.String({ format: 'uuid', description: 'Only those of one reservation' })) },
  { additionalProperties: false },
)
const CheckInBody = Type.Object(
  {
    code: Type.Optional(Type.String({ minLength: 1, maxLength: 2_048, description: 'What the QR code says' })),
    shortCode: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'Or the eight symbols beside it, as typed' }),
    ),
    eventId: Type.Optional(
      Type.String({ format: 'uuid', description: 'Refuses e-tickets of other events; without it all are welcome' }),
    ),
    door: Type.Optional(DoorName),
    scanId: Type.Optional(
      Type.String({ format: 'uuid', description: 'Of a device that may bring the same scan again, with `door/scans`' }),
    ),
  },
  { additionalProperties: false },
)

/** The ledger stores the answer of a repeated call as JSON: the serialiser need not know its fields. */
const CheckInAnswer = Type.Unsafe<Record<string, unknown>>(
  Type.Object({
    ...{ eticketId: Type.String(), eventId: Type.String(), checkedInAt: Type.String(), seat: Seat },
    holder: nullable(Type.String({ description: 'The name that the buyer gave for this ticket' })),
  }),
)

/** E-tickets: shown to their buyers, checked by staff at the door. */
export function eticketRoutes(app: App, services: BoxOfficeServices): void {
  showingRoutes(app, services)
  const guesses = createShortCodeGuesses(services.now, services.config.workers)
  measureBuffers(services.metrics, { wrong_short_codes: () => guesses.size })
  const door = { ...services, guesses: services.config.rateLimits ? guesses : null }
  app.post(
    '/api/checkin',
    {
      config: { access: { act: 'check_in', on: 'some' } },
      schema: {
        tags,
        summary:
          'Let the holder of an e-ticket in; the first scan wins. With an Idempotency-Key a lost answer can be asked for again',
        body: CheckInBody,
        response: { 200: CheckInAnswer },
      },
    },
    (request) => {
      const key = request.headers['idempotency-key'] === undefined ? null : requireKey(request)
      return scanEticket(door, request.body, { actor: actorOf(request), key, address: request.ip })
    },
  )
}

function showingRoutes(app: App, { ledger, identity: { keys } }: BoxOfficeServices): void {
  app.get(
    '/api/etickets',
    {
      config: { access: 'signed-in', sale: 'checked' },
      schema: {
        tags,
        summary: 'Your e-tickets, the newest first',
        querystring: ListQuery,
        response: { 200: Type.Object({ items: Type.Array(EticketAnswer) }) },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const { id } = actor
      const { reservationId } = request.query
      const found =
        reservationId === undefined
          ? await readEticketsOfHolder(ledger.db, id, LISTED_MAX)
          : await readEticketsOf(ledger.db, [reservationId])
      reply.header('cache-control', 'no-store')
      const own = found.filter(({ holderId, eventId }) => holderId === id && isOfSale(actor, eventId))
      return { items: own.map((eticket) => describeEticket(keys, eticket, id)) }
    },
  )
  app.get(
    '/api/etickets/:id',
    {
      config: { access: 'signed-in', sale: 'checked' },
      schema: {
        tags,
        summary: 'An e-ticket of yours; with `Accept: text/html` a page to print',
        params: Type.Object({ id: Type.String() }),
        produces: ['application/json', 'text/html'],
        response: { 200: EticketAnswer },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const eticket = isUuid(id) ? await readEticket(ledger.db, id) : null
      const actor = actorOf(request)
      const shown = describeEticket(keys, requireOwnEticket(eticket, actor), actor.id)
      reply.header('cache-control', 'no-store').header('vary', 'accept')
      return prefersHtml(request.headers.accept) ? sendPage(reply, renderPrintablePage([shown])) : shown
    },
  )
}

export function requireOwnEticket(eticket: Eticket | null, actor: Actor): Eticket {
  if (eticket === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such e-ticket' })
  if (eticket.holderId !== actor.id) throw new SeatwiseError('FORBIDDEN')
  requireSale(actor, eticket.eventId)
  return eticket
}

/** JSON unless HTML is preferred: programs that send no preference get data. */
export function prefersHtml(accept = ''): boolean {
  const html = accept.indexOf('text/html')
  const json = accept.indexOf('application/json')
  return html !== -1 && (json === -1 || html < json)
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .header('content-security-policy', PRINTABLE_PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .serializer((text: string) => text)
    .send(page)
}

import { type Reservation, SeatwiseError } from '@seatwise/domain'
import { readReservation, readReservationsOf } from '@seatwise/ledger'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { type App, actorOf, isOfSale, requireSale } from '../../http/index.ts'
import { answerTogether, isUuid } from '../../kit/index.ts'
import { ReservationAnswer } from '../../wire/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { readEventId } from '../events/event-id.ts'
import { answerOnce } from '../operations/answer-once.ts'
import { requireKey } from '../operations/idempotency-key.ts'
import { answerQuestions, describeAnswered } from './answer-questions.ts'
import { unknownReservation } from './cancel-reservation.ts'
import { readWish } from './read-wish.ts'
import { requireSaleOf } from './require-sale-of.ts'
import {
  AddressedAnswer,
  DetailsBody,
  EventPath,
  OwnReservationsQuery,
  ReservationPath,
  ReservationsAnswer,
  WishBody,
  WishForEventBody,
} from './schemas.ts'

const tags = ['buying']
/** Guests buy, too. */
const config = { access: 'signed-in', sale: 'checked' } as const

/** Reserving seats, reading reservations, and canceling them. */
export function reservationRoutes(app: App, services: BoxOfficeServices): void {
  claimingRoutes(app, services)
  readingRoutes(app, services)
  addresseeRoutes(app, services)

  app.delete(
    '/api/reservations/:id',
    {
      config,
      schema: { tags, summary: 'Give seats back', params: ReservationPath, response: { 200: ReservationAnswer } },
    },
    async (request, reply) => {
      const id = readReservationId(request.params.id)
      await requireSaleOf(services, actorOf(request), id)
      const { body } = await answerOnce(services, request, { operation: 'cancel', about: { id } }, async () => {
        const reservation = await services.boxOffice.cancel(id, actorOf(request).id)
        return { statusCode: 200, body: { ...reservation }, isFinal: true }
      })
      return show(reply, body)
    },
  )
}

function addresseeRoutes(app: App, services: BoxOfficeServices): void {
  app.patch(
    '/api/reservations/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Say who a reservation is for, and answer what its event asks',
        description:
          'Mail about it goes to that address, in that language. A guest cannot pay before, and no buyer while names, ' +
          'required answers or consent to the terms are missing.',
        params: ReservationPath,
        body: DetailsBody,
        response: { 200: AddressedAnswer },
      },
    },
    async (request, reply) => {
      const reservationId = readReservationId(request.params.id)
      await requireSaleOf(services, actorOf(request), reservationId)
      const of = { reservationId, buyerId: actorOf(request).id }
      return show(reply, await describeAnswered(services.ledger, await answerQuestions(services, of, request.body)))
    },
  )
}

function claimingRoutes(app: App, { boxOffice, config: { rateLimits } }: BoxOfficeServices): void {
  function reserve(request: FastifyRequest, reply: FastifyReply, eventId: string, body: Static<typeof WishBody>) {
    const pass = request.headers['seatwise-pass']
    const asked = {
      eventId,
      actor: actorOf(request),
      key: requireKey(request),
      pass: typeof pass === 'string' ? pass : undefined,
      wish: readWish(body),
      variants: body.variants,
      code: body.code === undefined ? undefined : { text: body.code, address: rateLimits ? request.ip : null },
    }
    // Claims that were decided together are answered together, whether they won or lost.
    boxOffice.reserve(asked).then(
      (reservation) =>
        answerTogether(reply, () => {
          show(reply.code(201).header('location', `/api/reservations/${reservation.id}`), reservation)
        }),
      (error: unknown) => answerTogether(reply, () => reply.send(error)),
    )
  }

  app.post(
    '/api/events/:id/reservations',
    {
      config: {
        ...config,
        sale: 'path',
        refuseCrowd: (params) => boxOffice.refuseCrowd((params as Static<typeof EventPath>).id),
      },
      schema: {
        tags,
        summary: 'Reserve seats',
        description: 'Needs a pass in `Seatwise-Pass` and an `Idempotency-Key`. All seats or none.',
        params: EventPath,
        body: WishBody,
        response: { 201: ReservationAnswer },
      },
    },
    (request, reply) => reserve(request, reply, readEventId(request.params.id), request.body),
  )
  app.post(
    '/api/events/reserve',
    {
      config,
      schema: { tags, summary: 'Reserve seats', body: WishForEventBody, response: { 201: ReservationAnswer } },
    },
    (request, reply) => {
      const { eventId, ...wish } = request.body
      requireSale(actorOf(request), readEventId(eventId))
      return reserve(request, reply, readEventId(eventId), wish)
    },
  )
}

function readingRoutes(app: App, { ledger }: BoxOfficeServices): void {
  app.get(
    '/api/reservations',
    {
      config,
      schema: {
        tags,
        summary: 'Your reservations, newest first',
        querystring: OwnReservationsQuery,
        response: { 200: ReservationsAnswer },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const own = await readReservationsOf(ledger.db, actor.id, request.query.limit)
      return show(reply, { items: own.filter(({ eventId }) => isOfSale(actor, eventId)) })
    },
  )
  app.get(
    '/api/reservations/:id',
    {
      config,
      schema: {
        tags,
        summary: 'A reservation of yours',
        params: ReservationPath,
        response: { 200: AddressedAnswer },
      },
    },
    async (request, reply) => {
      const reservation = await readReservation(ledger.db, readReservationId(request.params.id))
      if (reservation === null) throw unknownReservation()
      if (reservation.buyerId !== actorOf(request).id) {
        throw new SeatwiseError('FORBIDDEN', { message: 'This reservation is not yours' })
      }
      requireSale(actorOf(request), reservation.eventId)
      return show(reply, await describeAnswered(ledger, reservation))
    },
  )
}

function readReservationId(text: string): string {
  if (!isUuid(text)) throw unknownReservation()
  return text.toLowerCase()
}

/** The schema selects the fields that are shown, and serialises times. */
function show(reply: FastifyReply, answer: Reservation | { items: Reservation[] } | Record<string, unknown>) {
  return reply.header('cache-control', 'no-store').send(answer)
}

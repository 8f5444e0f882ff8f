import type { ReturnRequest } from '@seatwise/ledger'
import Type from 'typebox'
import type { App } from '../../http/index.ts'
import { MAIL_LIMIT } from '../../identity/index.ts'
import { ReservationAnswer, showReservation } from '../../wire/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { readEventId } from '../events/event-id.ts'
import { acceptOfferByLink, askForReturned, confirmByLink, declineOfferByLink, leaveByLink } from './returns.ts'
import { ListedAnswer, ReturnsAnswer, ReturnsBody, TokenPath } from './schemas.ts'

const tags = ['after the sale']
const OfferedReservation = Type.Object({
  ...ReservationAnswer.properties,
  accessToken: Type.String(),
  expiresIn: Type.Integer(),
})

/** The returns list of sold-out events, and the offers that are made to it. */
export function returnRoutes(app: App, services: BoxOfficeServices): void {
  app.post(
    '/api/events/:id/returns',
    {
      config: { access: 'public', rateLimit: MAIL_LIMIT },
      schema: {
        tags,
        summary: 'Ask for seats of a sold-out event that come back',
        description: 'The address gets a link to confirm it; the entry counts from now on once that is used.',
        params: Type.Object({ id: Type.String() }),
        body: ReturnsBody,
        response: { 201: ReturnsAnswer },
      },
    },
    async (request, reply) => {
      const entry = await askForReturned(services, readEventId(request.params.id), request.body)
      return reply.code(201).header('cache-control', 'no-store').send(entry)
    },
  )
  app.post(
    '/api/returns/:token/confirm',
    {
      config: { access: 'public' },
      schema: { tags, summary: 'Confirm the address', params: TokenPath, response: { 200: ListedAnswer } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return describe(await confirmByLink(services, request.params.token))
    },
  )
  app.delete(
    '/api/returns/:token',
    {
      config: { access: 'public' },
      schema: { tags, summary: 'Leave the returns list', params: TokenPath, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await leaveByLink(services, request.params.token)
      return reply.code(204).send(null)
    },
  )
  offerRoutes(app, services)
}

function offerRoutes(app: App, services: BoxOfficeServices): void {
  app.post(
    '/api/offers/:token/accept',
    {
      config: { access: 'public-or-signed-in' },
      schema: {
        tags,
        summary: 'Accept the seats that a mail offers',
        description: 'The hold becomes your reservation. Without an access token a guest gets one for this sale only.',
        params: TokenPath,
        response: { 201: OfferedReservation },
      },
    },
    async (request, reply) => {
      const { reservation, token } = await acceptOfferByLink(services, request.actor, request.params.token)
      reply.code(201).header('location', `/api/reservations/${reservation.id}`).header('cache-control', 'no-store')
      return { ...showReservation(reservation), ...token }
    },
  )
  app.post(
    '/api/offers/:token/decline',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Give offered seats back; they go to the next on the list',
        params: TokenPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await declineOfferByLink(services, request.params.token)
      return reply.code(204).send(null)
    },
  )
}

function describe({ eventId, seatTypeId, quantity, status }: ReturnRequest) {
  return { eventId, seatTypeId, quantity, status: status.toUpperCase() }
}

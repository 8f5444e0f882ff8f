import Type from 'typebox'
import { type App, actorOf } from '../../http/index.ts'
import { MAIL_LIMIT } from '../../identity/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { describeEticket } from '../etickets/describe-eticket.ts'
import { EticketAnswer } from '../etickets/schemas.ts'
import { TokenPath, TransferBody } from './schemas.ts'
import { acceptByLink, offerEticket, takeBackEticket } from './transfers.ts'

const tags = ['after the sale']
const EticketPath = Type.Object({ id: Type.String() })

/** E-tickets that change hands: offered to an address, accepted by the link in the mail. */
export function transferRoutes(app: App, services: BoxOfficeServices): void {
  app.post(
    '/api/etickets/:id/transfer',
    {
      config: { access: 'signed-in', rateLimit: MAIL_LIMIT },
      schema: {
        tags,
        summary: 'Offer an e-ticket of yours to an address',
        description: 'The address gets a link. Until it is accepted the e-ticket stays yours, and its code is good.',
        params: EticketPath,
        body: TransferBody,
        response: { 202: Type.Object({ email: Type.String() }) },
      },
    },
    async (request, reply) => {
      const wish = { eticketId: request.params.id.toLowerCase(), ...request.body }
      const email = await offerEticket(services, actorOf(request), wish)
      return reply.code(202).header('cache-control', 'no-store').send({ email })
    },
  )
  app.delete(
    '/api/etickets/:id/transfer',
    {
      config: { access: 'signed-in' },
      schema: {
        tags,
        summary: 'Withdraw a transfer that was not accepted',
        params: EticketPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await takeBackEticket(services, actorOf(request), request.params.id.toLowerCase())
      return reply.code(204).send(null)
    },
  )
  app.post(
    '/api/transfers/:token/accept',
    {
      config: { access: 'public-or-signed-in' },
      schema: {
        tags,
        summary: 'Accept the e-ticket that a mail links to',
        description:
          'From now on the old code is void. Without an access token a guest accepts, with a token for this sale only.',
        params: TokenPath,
        response: {
          200: Type.Object({ eticket: EticketAnswer, accessToken: Type.String(), expiresIn: Type.Integer() }),
        },
      },
    },
    async (request, reply) => {
      const { eticket, holderId, token } = await acceptByLink(services, request.actor, request.params.token)
      reply.header('cache-control', 'no-store')
      return { eticket: describeEticket(services.identity.keys, eticket, holderId), ...token }
    },
  )
}

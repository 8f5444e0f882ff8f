import { SeatwiseError } from '@seatwise/domain'
import { readEticket, readEvent } from '@seatwise/ledger'
import { chooseLanguage } from '@seatwise/web'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { type App, actorOf, ownOrigin } from '../../../http/index.ts'
import { isUuid } from '../../../kit/index.ts'
import type { BoxOfficeServices } from '../../box-office-services.ts'
import { issueEticketCode } from '../eticket-code.ts'
import { prefersHtml, requireOwnEticket } from '../routes.ts'
import { makeApplePass, type WalletTicket } from './apple-pass.ts'
import { makeGoogleLink } from './google-link.ts'

const tags = ['e-tickets']
const config = { access: 'signed-in', sale: 'checked' } as const
const params = Type.Object({ id: Type.String() })
type IdRequest = FastifyRequest<{ Params: { id: string } }>

/** Passes for telephones. Apple and Google sign up the seller and give out keys; without them these are 404. */
export function walletRoutes(app: App, services: BoxOfficeServices): void {
  const { wallets } = services.config
  app.get(
    '/api/etickets/:id/apple.pkpass',
    {
      config,
      schema: {
        ...{ tags, params },
        summary: 'An e-ticket of yours for Apple Wallet; 404 NOT_CONFIGURED without keys',
        produces: ['application/vnd.apple.pkpass'],
      },
    },
    async (request, reply) => {
      const ticket = await readTicket(services, request)
      if (wallets.apple === null) throw notConfigured('Apple Wallet')
      const pass = await makeApplePass(wallets.apple, ticket)
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="e-ticket.pkpass"')
        .type('application/vnd.apple.pkpass')
        .send(pass)
    },
  )
  app.get(
    '/api/etickets/:id/google',
    {
      config,
      schema: {
        ...{ tags, params },
        summary:
          'A link that adds an e-ticket of yours to Google Wallet; a browser is led there. 404 NOT_CONFIGURED without keys',
        response: { 200: Type.Object({ url: Type.String() }) },
      },
    },
    async (request, reply) => {
      const ticket = await readTicket(services, request)
      if (wallets.google === null) throw notConfigured('Google Wallet')
      const url = makeGoogleLink(wallets.google, ticket, services.now())
      reply.header('cache-control', 'no-store').header('vary', 'accept')
      return prefersHtml(request.headers.accept) ? reply.redirect(url, 303) : { url }
    },
  )
}

async function readTicket(
  { ledger, identity, config: settings }: BoxOfficeServices,
  request: IdRequest,
): Promise<WalletTicket> {
  const { id } = request.params
  const eticket = requireOwnEticket(isUuid(id) ? await readEticket(ledger.db, id) : null, actorOf(request))
  const event = await readEvent(ledger.replica, eticket.eventId)
  if (eticket.isVoid || event === null) throw new SeatwiseError('ETICKET_VOID')
  const language = chooseLanguage({
    ...{ query: undefined, cookie: undefined },
    header: request.headers['accept-language'],
  })
  return {
    eticket,
    event,
    code: issueEticketCode(identity.keys, eticket),
    language,
    siteUrl: ownOrigin(settings, request),
  }
}

const notConfigured = (wallet: string): SeatwiseError =>
  new SeatwiseError('NOT_CONFIGURED', { message: `This server has no keys for ${wallet}` })

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter } from 'prom-client'
import { hasCookie } from '../../http/cookies.ts'
import type { App } from '../../http/http-server.ts'
import type { Services } from '../../main/services.ts'
import { holdsRenewableTickets, keepTickets } from '../../rooms/routes/ticket-cookie.ts'
import { keepSession, readSessionCookie, SESSION_COOKIE } from './session-cookie.ts'

/** Where a client finds the token that it should send from now on, instead of the one it sent. */
const RENEWED_ACCESS_HEADER = 'seatwise-renewed-access'
const RENEWED_TICKET_HEADER = 'seatwise-renewed-ticket'

/**
 * While several secrets are listed, a caller with a token of an older one gets the same token under the first: a browser
 * in its cookies, a program in headers of the answer. So the older secret can be taken out without anybody losing
 * a place. With one secret there is nothing to renew, and no request is looked at.
 */
export function renewTokens(app: App, services: Services): void {
  if (services.secrets.length === 1) return
  const renewed = new Counter({
    name: 'seatwise_renewed_tokens_total',
    help: 'Tokens of an older secret that were renewed; while this grows, that secret is still needed',
    labelNames: ['kind'],
    registers: [services.metrics],
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isForOneVisitor(request, reply)) {
      renewHeaders(services, request, reply, renewed)
      renewCookies(services, request, reply, renewed)
    }
    done()
  })
}

/** A cache that several visitors share must never keep an answer with a token in it. */
function isForOneVisitor(request: FastifyRequest, reply: FastifyReply): boolean {
  const { access } = request.routeOptions.config
  if (access === undefined || access === 'public') return false
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return !isRead || /no-store|private/.test(String(reply.getHeader('cache-control') ?? ''))
}

type Renewed = Counter<'kind'>

function renewHeaders(
  { identity, roomTokens }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  renewed: Renewed,
) {
  const { authorization, 'seatwise-ticket': ticket } = request.headers
  const access = identity.tokens.renew(/^bearer +([^ ]+)$/i.exec(authorization ?? '')?.[1] ?? '')
  if (access !== null) {
    reply.header(RENEWED_ACCESS_HEADER, access.accessToken)
    renewed.inc({ kind: 'access' })
  }
  const freshTicket = typeof ticket === 'string' ? roomTokens.tickets.renew(ticket) : null
  if (freshTicket !== null) {
    reply.header(RENEWED_TICKET_HEADER, freshTicket)
    renewed.inc({ kind: 'ticket' })
  }
}

/** Not where the answer sets the cookie already, as joining and signing in do: the browser would keep the last one. */
function renewCookies(services: Services, request: FastifyRequest, reply: FastifyReply, renewed: Renewed): void {
  if (request.headers.cookie === undefined) return
  const { config, identity } = services
  const session = identity.tokens.renew(readSessionCookie(config, request) ?? '')
  if (session !== null && !hasCookie(reply, SESSION_COOKIE)) {
    keepSession(config, request, reply, session)
    renewed.inc({ kind: 'access' })
  }
  if (holdsRenewableTickets(services, request, reply)) {
    keepTickets(services, { request, reply }, [])
    renewed.inc({ kind: 'ticket' })
  }
}

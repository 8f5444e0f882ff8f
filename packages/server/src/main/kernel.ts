import type { FastifyRequest } from 'fastify'
import type { HttpLimits } from '../http/http-limits.ts'
import type { App } from '../http/http-server.ts'
import { createHttpKernel } from '../http/kernel.ts'
import { createSessionRenewal } from '../identity/sessions/renew-sessions.ts'
import { readSessionCookie } from '../identity/sessions/session-cookie.ts'
import { createHolderJudge, createProofs, decorateHolders } from '../rooms/routes/holder.ts'
import { createTicketRenewal } from '../rooms/routes/renew-tickets.ts'
import type { Services } from './services.ts'

/** The kernel of HTTP, which learns here how callers are told apart. Still without routes. */
export function createKernel(services: Services, limits: HttpLimits): App {
  const { config, identity, roomTokens } = services
  const callers = {
    tokens: identity.tokens,
    ended: identity.ended,
    actors: identity.actors,
    sessionOf: (request: FastifyRequest) => readSessionCookie(config, request),
    judgeHolder: createHolderJudge(createProofs(config, roomTokens)),
  }
  const app = createHttpKernel(services, limits, callers, [
    createSessionRenewal(services),
    createTicketRenewal(services),
  ])
  decorateHolders(app)
  return app
}

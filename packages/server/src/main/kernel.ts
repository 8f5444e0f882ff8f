import { type Actor, type App, type Callers, createHttpKernel, type HttpLimits } from '../http/index.ts'
import { createSessionRenewal, createSubjects, readSessionCookie } from '../identity/index.ts'
import { createHolderJudge, createProofs, createTicketRenewal, decorateHolders } from '../rooms/index.ts'
import type { Services } from './services.ts'

/** The HTTP kernel, configured here to identify callers. Still without routes. */
export function createKernel(services: Services, limits: HttpLimits): App {
  const { config, identity, pulse, roomTokens } = services
  const verify = (token: string): Actor | null => {
    const actor = identity.tokens.verify(token)
    if (actor?.session !== undefined && actor.sale === undefined) identity.uses.note(actor.session.id)
    return actor
  }
  const callers: Callers = {
    tokens: { verify, read: identity.tokens.read },
    isFresh: (actor) => identity.freshness.isFresh(actor),
    ended: {
      has: identity.ended.has,
      recent: async () => {
        await Promise.all([identity.ended.recent(), identity.teams.recent()])
      },
    },
    strong: identity.strength,
    teams: identity.teams,
    subjects: createSubjects(services.ledger),
    ask: (read) => pulse.ask(read),
    actors: identity.actors,
    sessionOf: (request) => readSessionCookie(config, request),
    judgeHolder: createHolderJudge(createProofs(config, roomTokens)),
  }
  const app = createHttpKernel(services, limits, callers, [
    createSessionRenewal(services),
    createTicketRenewal(services),
  ])
  decorateHolders(app)
  return app
}

import { type RoomFacts, readConnector, readRooms } from '@seatwise/ledger'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import type { App } from '../../http/index.ts'
import { createConnectorSecrets } from '../connectors/connector-secrets.ts'
import type { Room, TicketClaims } from '../room.ts'
import type { RoomServices } from '../room-services.ts'
import { issueKnownUserToken } from '../tokens/known-user-token.ts'
import { createProofs } from './holder.ts'
import { RETURN_PAGE_POLICY, renderEntrance, renderLink } from './return-page.ts'
import { passOf } from './tell-visitor.ts'
import { waitingPage } from './waiting-page.ts'

/** The path where a guard accepts passes, at the site's own origin. */
const ENTER_PATH = '/.seatwise/enter'

const ReturnQuery = Type.Object({ to: Type.Optional(Type.String({ maxLength: 4_096 })) })
const RoomPath = Type.Object({ id: Type.String() })

/**
 * From the waiting page into the site that the room protects. A plain form of the page requests it, with the browser's
 * cookie; the answer is a page that posts the pass to the site's guard with another form. So a pass is never in a URL,
 * and guards need not ask us about a visitor.
 *
 * The exception is a room with a connector: its vendor's format is a token in the URL, valid for a few minutes.
 */
export function returnToSiteRoutes(app: App, services: RoomServices): void {
  const { rooms } = services
  const proofs = createProofs(services.config, services.roomTokens)
  const issue = createIssuer(services)
  app.register(async (scope: App) => {
    // A form without fields; the body is ignored.
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (_request, _body, done) =>
      done(null, undefined),
    )
    scope.post(
      '/rooms/:id/return',
      { config: { access: 'public' }, schema: { hide: true, params: RoomPath, querystring: ReturnQuery } },
      async (request, reply) => {
        const room = await rooms.byId(request.params.id)
        const { to = null } = request.query
        reply.header('cache-control', 'no-store')
        const ticket = proofs.ticketsOf(request).find((held) => held.room === room.id)
        const page = ticket === undefined ? null : await issue(room, ticket, to)
        return page === null ? reply.redirect(waitingPage(room.id, to), 303) : sendPage(reply, page)
      },
    )
  })
}

export type Issue = (room: Room, ticket: TicketClaims, to: string | null) => Promise<string | null>

/** Builds the page that admits a visitor, or null for a visitor who is not on the floor. */
export function createIssuer({ ledger, roomTokens, secrets }: RoomServices): Issue {
  const keys = createConnectorSecrets(secrets, ledger)
  return async (room, ticket, to) => {
    const { number, identity, generation } = ticket
    const entered = await room.enter({ number, identity, generation })
    if (entered.status !== 'active' || entered.fence === null || entered.deadline === null) return null
    // Read from the ledger, because another server may have just changed the target.
    const [facts] = await readRooms(ledger.db, [room.id])
    if (facts === undefined) return null
    const goal = goalOf(facts, to)
    if (goal === null) return renderLink(facts.name, `/events/${facts.eventId}/seats`)
    const connector = await readConnector(ledger.db, { roomId: room.id })
    if (connector === null) {
      const fields = { pass: passOf(roomTokens, room, entered), to: goal.pathname + goal.search + goal.hash }
      return renderEntrance(facts.name, goal.origin + ENTER_PATH, fields)
    }
    const { deadline, now } = entered
    const user = { eventId: connector.eventId, room: room.id, number, now, deadline }
    goal.searchParams.set('queueittoken', issueKnownUserToken(await keys.open(connector), user))
    return renderLink(facts.name, goal.href)
  }
}

/** The address that the visitor wants, if it is on the protected site; otherwise the target itself. Null for events. */
export function goalOf({ target }: Pick<RoomFacts, 'target'>, to: string | null): URL | null {
  if (target === null) return null
  const home = new URL(target)
  const wanted = to === null || to === '' ? null : URL.parse(to, target)
  const isAtHome = wanted !== null && wanted.origin === home.origin && wanted.username + wanted.password === ''
  return isAtHome ? wanted : home
}

export function sendPage(reply: FastifyReply, page: string): FastifyReply {
  reply.header('content-security-policy', RETURN_PAGE_POLICY)
  return reply.type('text/html; charset=utf-8').send(page)
}

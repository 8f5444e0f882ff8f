import { type Connector, readConnector } from '@seatwise/ledger'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type App, isOnlyALook } from '../../http/index.ts'
import { escapeHtml } from '../../kit/index.ts'
import type { RoomServices } from '../room-services.ts'
import { waitingPage } from '../routes/waiting-page.ts'
import { cancelVisits } from './cancel-visit.ts'
import type { ConnectorSecrets } from './connector-secrets.ts'

/** The connector's error that means an expired token. Every other error is a misconfiguration of the site. */
const EXPIRED = 'timestamp'
const NAME = /^[A-Za-z0-9-]{1,64}$/

/**
 * Where a vendor's connector sends visitors. It knows only a host: to wait, it redirects to
 * `/?c=customer&e=event&t=target`; with a token that it refuses, to `/error/kind/?…`; to give a place back, to
 * `/cancel/multiple/customer?wrl=…&r=target`. Our home page has the same address, hence the hook on
 * its route.
 */
export function knownUserEntry(app: App, services: RoomServices, secrets: ConnectorSecrets): void {
  const { ledger } = services
  const find = async (query: URLSearchParams): Promise<Connector | null> => {
    const [customerId, eventId] = [query.get('c') ?? '', query.get('e') ?? '']
    if (!NAME.test(customerId) || !NAME.test(eventId)) return null
    return await readConnector(ledger.replica, { customerId, eventId })
  }

  app.addHook('onRoute', (route) => {
    if (route.url === '/' && route.method === 'GET') route.onRequest = [sendOn, ...[route.onRequest ?? []].flat()]
  })
  async function sendOn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const query = queryOf(request)
    if (!query.has('c') || !query.has('e')) return undefined
    const connector = await find(query)
    return connector === null ? undefined : await sendToWait(reply, connector, query.get('t'))
  }

  const config = { access: 'public' } as const
  app.get('/cancel/multiple/:customerId', { config, schema: { hide: true } }, async (request: OfCustomer, reply) => {
    const { customerId } = request.params
    const mayEnd = !isOnlyALook(request)
    const goal = await cancelVisits(services, secrets, { customerId, query: queryOf(request), mayEnd })
    return reply.header('cache-control', 'no-store').redirect(goal, 303)
  })
  for (const path of ['/error/:kind', '/error/:kind/'] as const) {
    app.get(path, { config, schema: { hide: true } }, async (request: OfKind, reply) => {
      const { kind } = request.params
      const query = queryOf(request)
      const connector = await find(query)
      // Waiting replaces an expired token, or the visitor gets a new one at once if it is still their turn. Any other
      // error would occur again: redirecting automatically would loop.
      if (connector !== null && kind === EXPIRED) return await sendToWait(reply, connector, query.get('t'))
      const again = connector === null ? '/' : waitingPage(connector.roomId, query.get('t'))
      reply
        .code(connector === null ? 404 : 400)
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
      return explain(kind, again)
    })
  }
}

type OfCustomer = FastifyRequest<{ Params: { customerId: string } }>
type OfKind = FastifyRequest<{ Params: { kind: string } }>

/** Parses the query itself, because the router would turn a repeated name into a list. */
function queryOf({ url }: FastifyRequest): URLSearchParams {
  const start = url.indexOf('?')
  return new URLSearchParams(start === -1 ? '' : url.slice(start + 1))
}

async function sendToWait(reply: FastifyReply, { roomId }: Connector, to: string | null): Promise<FastifyReply> {
  return await reply.header('cache-control', 'no-store').redirect(waitingPage(roomId, to), 303)
}

/** For visitors whom the site refuses although their turn has come: its settings and the room's disagree. */
function explain(kind: string, again: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not let in</title></head>
<body>
<h1>The site did not let you in</h1>
<p>It did not accept what the waiting room gave you (${escapeHtml(kind.slice(0, 40))}). Your place is not lost by this.</p>
<p><a href="${escapeHtml(again)}">Try again</a></p>
</body>
</html>
`
}

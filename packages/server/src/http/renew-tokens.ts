import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter } from 'prom-client'
import type { Base } from './base.ts'
import type { App } from './http-server.ts'

/** Renews one kind of token when a caller sent an old one. `identity` and `rooms` provide one each. */
export interface Renewal {
  readonly kind: 'access' | 'ticket'
  /** Sends the renewed token in a response header, for programs. True when there was a token to renew. */
  renewHeader(request: FastifyRequest, reply: FastifyReply): boolean
  /** Renews the browser's cookie, unless the answer sets that cookie already: the browser would keep the last one. */
  renewCookie(request: FastifyRequest, reply: FastifyReply): boolean
}

/**
 * While several secrets are configured, a caller that sends a token of an older secret gets the same token signed with
 * the first one: a browser in its cookies, a program in response headers. So the operator can remove the older secret
 * and no visitor loses a place. With one secret there is nothing to renew, and requests are not inspected.
 */
export function renewTokens(app: App, base: Pick<Base, 'secrets' | 'metrics'>, renewals: readonly Renewal[]): void {
  if (base.secrets.length === 1) return
  const renewed = new Counter({
    name: 'seatwise_renewed_tokens_total',
    help: 'Tokens of an older secret that were renewed; while this grows, that secret is still needed',
    labelNames: ['kind'],
    registers: [base.metrics],
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isForOneVisitor(request, reply)) {
      const hasCookies = request.headers.cookie !== undefined
      for (const { kind, renewHeader } of renewals) if (renewHeader(request, reply)) renewed.inc({ kind })
      for (const { kind, renewCookie } of renewals) if (hasCookies && renewCookie(request, reply)) renewed.inc({ kind })
    }
    done()
  })
}

/** A shared cache must never store an answer that carries a token. */
function isForOneVisitor(request: FastifyRequest, reply: FastifyReply): boolean {
  const { access } = request.routeOptions.config
  if (access === undefined || access === 'public') return false
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return !isRead || /no-store|private/.test(String(reply.getHeader('cache-control') ?? ''))
}

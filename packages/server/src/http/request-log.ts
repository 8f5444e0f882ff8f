import type { Base } from './base.ts'
import type { App } from './http-server.ts'

/** One line per answer, at level debug: during a sale these lines would drown all others. */
export function logRequests(app: App, { log }: Pick<Base, 'log'>): void {
  if (!log.isLevelEnabled('debug')) return
  app.addHook('onResponse', (request, reply, done) => {
    request.log.debug(
      {
        requestId: request.id,
        method: request.method,
        // The route template, not the URL: URLs contain ids, and queries contain what people type.
        route: request.routeOptions.url ?? null,
        statusCode: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 1_000) / 1_000,
        address: request.ip,
      },
      'answered',
    )
    done()
  })
}

import type { Base } from './base.ts'
import type { App } from './http-server.ts'

/** One line for each answer, at level debug: in a sale the crowd's requests would drown everything worth reading. */
export function logRequests(app: App, { log }: Pick<Base, 'log'>): void {
  if (!log.isLevelEnabled('debug')) return
  app.addHook('onResponse', (request, reply, done) => {
    request.log.debug(
      {
        requestId: request.id,
        method: request.method,
        // The template, not the address: addresses hold ids, and the query what people type.
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

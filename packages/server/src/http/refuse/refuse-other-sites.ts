import { SeatwiseError } from '@seatwise/domain'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/index.ts'
import type { App } from '../http-server.ts'
import { ownOrigin } from '../own-pages.ts'

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A page of another site can make a visitor's browser send simple requests without reading the answers: it could join
 * lines from the visitor's address. Requests that change something are therefore refused when the browser says that
 * another site makes them. Programs send no such header.
 */
export function refuseOtherSites(app: App, config: Config): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isRefused = !READS.has(request.method) && isFromOtherSite(config, request)
    done(isRefused ? new SeatwiseError('FOREIGN_ORIGIN', { details: { reason: 'cross-site' } }) : undefined)
  })
}

function isFromOtherSite(config: Config, request: FastifyRequest): boolean {
  const { origin, authorization, 'sec-fetch-site': site } = request.headers
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  // Without fetch metadata, the origin decides. An access token in a header was set by code that may read it.
  return origin !== undefined && authorization === undefined && origin !== ownOrigin(config, request)
}

import { SeatwiseError } from '@seatwise/domain'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/index.ts'
import type { App } from './http-server.ts'
import { ownOrigin } from './own-pages.ts'

/**
 * Refuses what the head of a request alone shows to be wrong, for every route: no `Host`, a repeated header that
 * decides something, a URL that is no plain text, a body that is never read.
 */
export function refuseByHead(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => done(refusalOf(request)))
  // Node would refuse an unknown `Expect` header; we ignore it.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
}

function refusalOf({ method, raw, headers }: FastifyRequest): SeatwiseError | undefined {
  if (headers.host === undefined && raw.httpVersion !== '1.0') return badRequest('The header Host is missing')
  const repeated = findRepeated(raw.rawHeaders, headers)
  if (repeated !== null) return badRequest(`The header ${repeated} came twice`)
  if (!isPlainAddress(raw.url ?? ''))
    return badRequest('The address has control characters, or percent signs that do not encode UTF-8')
  return (method === 'GET' || method === 'HEAD') && hasBody(headers) ? bodyNotTaken() : undefined
}

const badRequest = (message: string): SeatwiseError => new SeatwiseError('BAD_REQUEST', { message })

/** For a route without a body. */
export const bodyNotTaken = (): SeatwiseError =>
  new SeatwiseError('BAD_REQUEST', { message: 'This route takes no body', details: { field: 'body' } })

/**
 * Headers that decide something and have one value. Node keeps the first `Host` and joins two keys with a comma; a
 * proxy in front may do the opposite, and then two programs read two different requests from the same bytes. Node's
 * parser already refuses repeated body lengths and encodings.
 */
const SINGLE: ReadonlySet<string> = new Set([
  'host',
  'authorization',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'idempotency-key',
  'last-event-id',
  'origin',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-fetch-user',
  'seatwise-guest',
  'seatwise-pass',
  'seatwise-ticket',
  'stripe-signature',
  'x-request-id',
])

/** Such a header that came twice, even with the same value; null if there is none. Names and values alternate. */
function findRepeated(rawHeaders: readonly string[], headers: FastifyRequest['headers']): string | null {
  // As many names as lines: no header came twice.
  if (Object.keys(headers).length * 2 === rawHeaders.length) return null
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase()
    if (!SINGLE.has(name)) continue
    if (seen.has(name)) return name
    seen.add(name)
  }
  return null
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_IN_ADDRESS = /[\u0000-\u001f\u007f]/

function isPlainAddress(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    return !CONTROL_IN_ADDRESS.test(decodeURIComponent(url))
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}

/** Fastify reads no body for GET and HEAD. */
function hasBody(headers: FastifyRequest['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A page of another site can make a visitor's browser send simple requests without reading the answers: it could join
 * lines from the visitor's address. Requests that change something are therefore refused when the browser says that
 * another site makes them. Programs send no such header. Runs after the access rules: a caller that proves nothing is
 * told so first.
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

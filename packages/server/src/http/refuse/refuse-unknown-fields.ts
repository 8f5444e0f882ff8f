import { SeatwiseError } from '@seatwise/domain'
import type { FastifyRequest, RouteOptions } from 'fastify'
import type { App } from '../http-server.ts'

/**
 * Refuses fields that a route does not know, also on routes without a body: a client that means to refund two seats
 * must not refund all of them. A body schema that allows unknown fields keeps the server from starting.
 */
export function refuseUnknownFields(app: App): void {
  app.addHook('onRoute', (route) => {
    const loose = findLooseObject(route.schema?.body, 'body')
    if (loose !== null) throw new Error(`${nameOf(route)}: ${loose} does not say whether it takes unknown fields`)
  })
  app.addHook('onRequest', (request, _reply, done) => done(hasBodyThatIsNeverRead(request) ? refusal() : undefined))
  app.addHook('preValidation', (request, _reply, done) => {
    const takesBody = request.routeOptions.schema?.body !== undefined
    done(takesBody || isEmpty(request) ? undefined : refusal())
  })
}

const refusal = (): SeatwiseError =>
  new SeatwiseError('BAD_REQUEST', { message: 'This route takes no body', details: { field: 'body' } })

/** Fastify reads no body for these methods. */
function hasBodyThatIsNeverRead({ method, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** No body, or an object without fields. A body from a parser other than the JSON one is checked by its own feature. */
function isEmpty({ body, headers, is404 }: FastifyRequest): boolean {
  if (body === undefined || Buffer.isBuffer(body) || is404) return true
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) return true
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0
}

interface Schema {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: unknown
  readonly additionalProperties?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

/** Where a schema has an object with fields that does not state whether it allows others; null if nowhere. */
function findLooseObject(schema: unknown, where: string): string | null {
  if (typeof schema !== 'object' || schema === null) return null
  const {
    properties,
    patternProperties,
    additionalProperties,
    items,
    anyOf = [],
    allOf = [],
    oneOf = [],
  } = schema as Schema
  if (properties !== undefined && additionalProperties === undefined && patternProperties === undefined) return where
  const parts: [string, unknown][] = Object.entries(properties ?? {}).map(([name, part]) => [`${where}/${name}`, part])
  for (const part of [items, ...anyOf, ...allOf, ...oneOf]) parts.push([where, part])
  for (const [name, part] of parts) {
    const loose = findLooseObject(part, name)
    if (loose !== null) return loose
  }
  return null
}

const nameOf = ({ method, url }: RouteOptions): string => `${String(method)} ${url}`

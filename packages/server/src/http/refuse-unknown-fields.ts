import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { App } from './http-server.ts'
import { bodyNotTaken } from './refuse-by-head.ts'

/**
 * Refuses fields that a route does not know, also on routes without a body: a client that means to refund two seats
 * must not refund all of them. A body schema that allows unknown fields keeps the server from starting.
 */
export function refuseUnknownFields(app: App): void {
  app.addHook('onRoute', (route) => {
    const body = route.schema?.body
    const loose = findLooseObject(body, 'body')
    if (loose !== null) throw new Error(`${nameOf(route)}: ${loose} does not say whether it takes unknown fields`)
    const isRead = [route.method].flat().every((method) => method === 'GET' || method === 'HEAD')
    if (body === undefined && !isRead) route.preValidation = [refuseBody, ...[route.preValidation ?? []].flat()]
  })
}

function refuseBody(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  done(isEmpty(request) ? undefined : bodyNotTaken())
}

/** No body, or an object without fields. A body from a parser other than the JSON one is checked by its own feature. */
function isEmpty({ body, headers }: FastifyRequest): boolean {
  if (body === undefined || Buffer.isBuffer(body)) return true
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

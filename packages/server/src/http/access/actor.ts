import assert from 'node:assert'
import type { FastifyRequest } from 'fastify'
import type { Actor } from './access.ts'

/** Who makes the request, in routes that nobody reaches without signing in. */
export function actorOf(request: FastifyRequest): Actor {
  assert(request.actor !== null, `${request.routeOptions.url} lets people in who did not sign in`)
  return request.actor
}

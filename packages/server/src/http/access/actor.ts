import assert from 'node:assert'
import type { FastifyRequest } from 'fastify'
import type { Actor } from './access.ts'

/** The actor of a request, in routes that require signing in. */
export function actorOf(request: FastifyRequest): Actor {
  assert(request.actor !== null, `${request.routeOptions.url} lets people in who did not sign in`)
  return request.actor
}

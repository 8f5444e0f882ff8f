import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/index.ts'

/**
 * Whether the browser says that one of our own pages makes the request. Browsers send cookies with requests from any
 * site: a read is allowed unless another site's script makes it, a write only if our own page does. Following a link
 * from another site is a read: only the visitor sees the result.
 */
export function comesFromOwnPages(config: Config, request: FastifyRequest): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const site = request.headers['sec-fetch-site']
  if (isRead && request.headers['sec-fetch-mode'] === 'navigate') return true
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const { origin } = request.headers
  if (origin !== undefined) return origin === ownOrigin(config, request)
  return isRead || site === 'same-origin'
}

export function ownOrigin(config: Config, request: FastifyRequest): string {
  return config.publicUrl === null ? `${request.protocol}://${request.host}` : new URL(config.publicUrl).origin
}

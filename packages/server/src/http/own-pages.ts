import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/index.ts'

/**
 * Whether the browser says that a page of ours makes the request. It sends cookies whoever makes it do so: reading is
 * allowed unless another site's script asks, writing only if our own page does. Following a link from elsewhere is
 * reading: what comes of it is shown to the visitor, and to nobody else.
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

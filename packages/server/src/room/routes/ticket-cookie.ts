import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'

const PREFIX = 'seatwise-ticket-'

/** The cookie that holds the ticket token of one room, for Server-Sent Events and plain forms, which send no headers. */
export function ticketCookie(config: Config, request: FastifyRequest, roomPathId: string, ticketToken: string): string {
  const isSecure = (config.publicUrl ?? `${request.protocol}:`).startsWith('https:')
  return `${PREFIX}${roomPathId}=${ticketToken}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

/** The ticket token in the room's cookie, if the request comes from the site itself (R27); otherwise null. */
export function readTicketCookie(
  config: Config,
  request: FastifyRequest,
  roomPathId: string | undefined = (request.params as { id?: string }).id,
): string | null {
  const header = request.headers.cookie
  if (header === undefined || roomPathId === undefined || !comesFromOurPages(config, request)) return null
  const name = `${PREFIX}${roomPathId}=`
  for (const part of header.split(';')) {
    const cookie = part.trim()
    if (cookie.startsWith(name)) return cookie.slice(name.length)
  }
  return null
}

/**
 * A browser sends the cookie whoever makes it do so. Reading is allowed unless another site says that it asks; writing
 * only if the browser says that our own page does.
 */
function comesFromOurPages(config: Config, request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const { origin } = request.headers
  if (origin !== undefined) return origin === siteOrigin(config, request)
  return request.method === 'GET' || request.method === 'HEAD' || site === 'same-origin'
}

/** The origin of our own pages, as browsers name it. */
export function siteOrigin(config: Config, request: FastifyRequest): string {
  return config.publicUrl === null ? `${request.protocol}://${request.host}` : new URL(config.publicUrl).origin
}

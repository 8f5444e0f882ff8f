import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/index.ts'

/**
 * Browsers accept this prefix only with `Secure`, `Path=/` and no `Domain`: neither a sibling domain nor a page over
 * plain HTTP can plant such a cookie. On https no other cookie of ours is read.
 */
const HOST_PREFIX = '__Host-'

/** The value of one of our cookies, or null. Of several with one name the first counts, as the browser orders them. */
export function readCookie(config: Config, request: FastifyRequest, name: string): string | null {
  const header = request.headers.cookie
  if (header === undefined) return null
  const start = `${nameOnWire(config, request, name)}=`
  for (const part of header.split(';')) {
    const cookie = part.trim()
    if (cookie.startsWith(start)) return cookie.slice(start.length)
  }
  return null
}

/** Only for pages of this site, and out of reach of scripts. Several may go out with one answer. */
export function addCookie(
  config: Config,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { name, value, seconds }: { readonly name: string; readonly value: string; readonly seconds?: number },
): void {
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`
  const secure = isHttps(config, request) ? '; Secure' : ''
  // Fastify makes one header line of each.
  const written = `${nameOnWire(config, request, name)}=${value}; Path=/; HttpOnly; SameSite=Lax${age}${secure}`
  reply.header('set-cookie', written)
}

/** Whether an answer sets this cookie already. */
export function hasCookie(reply: FastifyReply, name: string): boolean {
  const written = [reply.getHeader('set-cookie') ?? []].flat().map(String)
  return written.some((cookie) => cookie.startsWith(`${name}=`) || cookie.startsWith(`${HOST_PREFIX}${name}=`))
}

function nameOnWire(config: Config, request: FastifyRequest, name: string): string {
  return isHttps(config, request) ? HOST_PREFIX + name : name
}

function isHttps({ publicUrl }: Config, request: FastifyRequest): boolean {
  return publicUrl === null ? request.protocol === 'https' : publicUrl.startsWith('https:')
}

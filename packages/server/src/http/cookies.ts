import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/index.ts'

/**
 * Browsers accept this prefix only with `Secure`, `Path=/` and no `Domain`: neither a sibling domain nor a page over
 * plain HTTP can set such a cookie. On https no other cookie of ours is read.
 */
const HOST_PREFIX = '__Host-'

/** The value of one of our cookies, or null. Of several with the same name the first counts, in the browser's order. */
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

/** Sent only for pages of this site, and hidden from scripts. One answer may set several. */
export function addCookie(
  config: Config,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { name, value, seconds }: { readonly name: string; readonly value: string; readonly seconds?: number },
): void {
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`
  const secure = isHttps(config, request) ? '; Secure' : ''
  // Fastify writes one header line for each.
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

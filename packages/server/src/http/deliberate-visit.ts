import type { FastifyRequest } from 'fastify'

/**
 * Whether a visitor opens this page in a tab, according to the browser's fetch metadata: by the address bar, by a link
 * of this site, or by activating a link elsewhere. Images, frames, scripts of another site and prefetches do not count.
 * A browser that sends no fetch metadata counts as not deliberate.
 */
export function isDeliberateVisit(request: FastifyRequest): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': dest, 'sec-fetch-site': site } = request.headers
  if (isOnlyALook(request) || mode !== 'navigate' || dest !== 'document') return false
  return request.headers['sec-fetch-user'] === '?1' || (typeof site === 'string' && OWN_SITES.has(site))
}

const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'same-site', 'none'])

/** Whether the request certainly opens no page: HEAD, a prefetch, or a subresource of another page. */
export function isOnlyALook({ method, headers }: FastifyRequest): boolean {
  const purpose = `${headers['sec-purpose']} ${headers.purpose} ${headers['x-purpose']} ${headers['x-moz']}`
  if (method !== 'GET' || /prefetch|prerender|preview/i.test(purpose)) return true
  return headers['sec-fetch-dest'] !== undefined && headers['sec-fetch-dest'] !== 'document'
}

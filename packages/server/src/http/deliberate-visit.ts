import type { FastifyRequest } from 'fastify'

/**
 * Whether a visitor opens this page in a tab, as the browser's fetch metadata says: by the address bar, by a link of this
 * site, or by activating one anywhere else. An image, a frame, a script of another site and a prefetch are none of
 * that. Browsers that send no fetch metadata cannot say so, and count as not deliberate.
 */
export function isDeliberateVisit(request: FastifyRequest): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': dest, 'sec-fetch-site': site } = request.headers
  if (isOnlyALook(request) || mode !== 'navigate' || dest !== 'document') return false
  return request.headers['sec-fetch-user'] === '?1' || (typeof site === 'string' && OWN_SITES.has(site))
}

const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'same-site', 'none'])

/** Whether it is certain that no page is opened: HEAD, a prefetch, or something that another page loads. */
export function isOnlyALook({ method, headers }: FastifyRequest): boolean {
  const purpose = `${headers['sec-purpose']} ${headers.purpose} ${headers['x-purpose']} ${headers['x-moz']}`
  if (method !== 'GET' || /prefetch|prerender|preview/i.test(purpose)) return true
  return headers['sec-fetch-dest'] !== undefined && headers['sec-fetch-dest'] !== 'document'
}

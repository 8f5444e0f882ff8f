import type { FastifyRequest } from 'fastify'

const ASKING_PAGES: Readonly<Record<string, string>> = {
  FRESH_SIGN_IN_NEEDED: '/sign-in/again',
  STRONG_SIGN_IN_NEEDED: '/sign-in/strong',
}

/** The page that asks for what an error misses, and leads back to `next`; null for errors that no page mends. */
export function askingPage(code: string, next: string): string | null {
  const page = ASKING_PAGES[code]
  return page === undefined ? null : `${page}?next=${encodeURIComponent(next)}`
}

/** The same for a person who followed a link to a download: a program, or a page's script, gets the error itself. */
export function askingPageOfLink(code: string, { method, headers, raw }: FastifyRequest): string | null {
  const isFollowed = method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers.authorization === undefined
  return isFollowed ? askingPage(code, raw.url ?? '/') : null
}

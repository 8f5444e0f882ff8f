import type { Settings } from './options.ts'

/** Longer addresses are not carried through the waiting page; the visitor comes to the room's target then. */
const TO_LENGTH_MAX = 2_000

/** Where visitors are sent, and from where they may come. Nothing in a request can name another host. */
export interface Ways {
  /** The waiting page; `url` is the path and query that was wanted, or empty. */
  waitingPage(url: string): string
  /** An address of the site itself, whatever was asked for. */
  siteUrl(to: string): string
  /** Whether a form with a pass may come from there. Browsers always say; others need not. */
  mayEnterFrom(origin: string | undefined): boolean
  isOurs(origin: string | undefined): boolean
}

export function createWays({ roomOrigin, room, site }: Settings): Ways {
  const page = `${roomOrigin}/rooms/${room}/wait`
  return {
    waitingPage(url) {
      // Only a path: the room resolves it against its own target.
      const isPath = url.startsWith('/') && url.length <= TO_LENGTH_MAX
      return isPath && url !== '/' ? `${page}?to=${encodeURIComponent(url.toWellFormed())}` : page
    },
    siteUrl(to) {
      const url = to.length <= TO_LENGTH_MAX ? URL.parse(to, site) : null
      const isHere = url !== null && url.origin === site.origin && url.username + url.password === ''
      // Whole, because a path that begins with two slashes would be another host's address.
      return isHere ? url.href : site.href
    },
    mayEnterFrom: (origin) => origin === undefined || origin === roomOrigin,
    isOurs: (origin) => origin === undefined || origin === site.origin,
  }
}

import type { ChannelLike, Environment, Page, PlaceStorage, Socket, Tabs } from './types.ts'

/** What the platform offers. Each part may be absent: a browser without Web Locks, Node without a page. */
export function platform(): Environment {
  return {
    // Looked up at each call, so that a page may replace it.
    fetch: (...call) => fetch(...call),
    now: () => Date.now(),
    random: () => Math.random(),
    newKey: () => newKey(),
    setTimer: (run, ms) => setTimeout(run, ms),
    clearTimer: (timer) => clearTimeout(timer as number),
    // Our types name the part that is used, with handlers that want less of an event than there is.
    openSocket: typeof WebSocket === 'undefined' ? null : (url) => new WebSocket(url) as unknown as Socket,
    page: typeof document === 'undefined' ? null : browserPage(),
    tabs: typeof document === 'undefined' ? null : browserTabs(),
  }
}

/** `randomUUID` exists in secure contexts only, and shops are still tried out over plain HTTP. */
function newKey(): string {
  if (crypto.randomUUID !== undefined) return crypto.randomUUID()
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function browserPage(): Page {
  return {
    isHidden: () => document.visibilityState === 'hidden',
    isOnline: () => navigator.onLine,
    onChange(listener) {
      const ending = new AbortController()
      const until = { signal: ending.signal }
      document.addEventListener('visibilitychange', listener, until)
      // `pageshow`: back from the back-forward cache, where time stood still.
      for (const event of ['online', 'offline', 'pageshow']) window.addEventListener(event, listener, until)
      return () => ending.abort()
    },
  }
}

function browserTabs(): Tabs | null {
  const { locks } = navigator
  if (locks === undefined || typeof BroadcastChannel === 'undefined') return null
  return { locks, openChannel: (name) => new BroadcastChannel(name) as unknown as ChannelLike }
}

/** Reading the property alone may throw where the visitor forbids storage. */
export function browserStorage(): PlaceStorage | null {
  try {
    return typeof document === 'undefined' ? null : localStorage
  } catch {
    return null
  }
}

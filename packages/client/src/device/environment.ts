import type { Environment, Page, PlaceStorage, Tabs } from '../types.ts'

/** What the platform offers. Each part may be absent: a browser without Web Locks, Node without a page. */
export function platform(): Environment {
  const isPage = typeof document !== 'undefined'
  return {
    // Looked up at each call, so that a page may replace it.
    fetch: (...call) => fetch(...call),
    now: () => Date.now(),
    random: () => Math.random(),
    // Not `randomUUID`, which secure contexts alone have: shops are still tried out over plain HTTP.
    newKey: () => crypto.getRandomValues(new Uint32Array(4)).join('-'),
    setTimer: (run, ms) => setTimeout(run, ms),
    clearTimer: (timer) => clearTimeout(timer as number),
    openSocket: (url) => new WebSocket(url),
    page: isPage ? browserPage() : null,
    tabs: isPage ? browserTabs() : null,
  }
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
  return { locks, openChannel: (name) => new BroadcastChannel(name) }
}

/** Reading the property alone may throw where the visitor forbids storage; Node has it, and complains. */
export function browserStorage(): PlaceStorage | null {
  try {
    return typeof document === 'undefined' ? null : localStorage
  } catch {
    return null
  }
}

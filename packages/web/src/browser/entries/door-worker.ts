/** What a worker between pages and the network has around it; the compiler knows only what pages have. */
declare global {
  interface WindowEventMap {
    install: WorkEvent
    activate: WorkEvent
    fetch: WorkEvent & { readonly request: Request; respondWith(answer: Promise<Response>): void }
  }
  function skipWaiting(): Promise<void>
  const clients: { claim(): Promise<void> }
}
interface WorkEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

/** The name that the page knows, too. */
const CACHE = 'seatwise-door'
/** A connection that is this slow is none for a person at the door. */
const PAGE_MS_MAX = 4_000

addEventListener('install', (event) => event.waitUntil(skipWaiting()))
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url)
  if (origin !== location.origin || event.request.method !== 'GET') return
  if (event.request.mode === 'navigate') event.respondWith(openPage(event.request))
  else if (pathname.startsWith('/assets/')) event.respondWith(loadAsset(event.request))
})

/** From the server; the copy of the device while it does not answer. */
async function openPage(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  try {
    return await fetch(request, { signal: AbortSignal.timeout(PAGE_MS_MAX) })
  } catch (error) {
    const kept = await cache.match(new URL(request.url).pathname)
    if (kept === undefined) throw error
    return kept
  }
}

/** The name of an asset changes with its content: a copy is as good as the original. */
async function loadAsset(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  return (await cache.match(request)) ?? (await fetch(request))
}

export {}

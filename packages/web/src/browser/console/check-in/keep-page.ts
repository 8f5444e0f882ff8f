/** The name that the worker knows, too. */
const CACHE = 'seatwise-door'

/** Keeps this page and all that it loaded: a worker answers with them while there is no connection. */
export async function keepPage(): Promise<void> {
  // Browsers have it only where the page came by https or from the same machine.
  if (!('serviceWorker' in navigator)) return
  // What decodes pictures is loaded with the first one; it has to be here before the connection is gone.
  if (window.BarcodeDetector === undefined) await import('jsqr')
  const cache = await caches.open(CACHE)
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  const assets = loaded.filter((name) => name.startsWith(`${location.origin}/assets/`))
  const kept = new Set((await cache.keys()).map(({ url }) => url))
  await cache.addAll([...new Set(assets)].filter((name) => !kept.has(name)))
  await navigator.serviceWorker.register('/console/door-worker.js', { scope: location.pathname })
  const page = await fetch(location.pathname, { redirect: 'error', headers: { accept: 'text/html' } })
  if (page.ok) await cache.put(location.pathname, page)
}

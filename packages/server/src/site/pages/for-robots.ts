import { listForSitemap } from '@seatwise/ledger'
import { type App, ownOrigin } from '../../http/index.ts'
import { ReadCache } from '../../kit/index.ts'
import type { PageParts } from './page-parts.ts'

/** A sitemap may have 50,000 addresses; this many are read within a tenth of a second. */
const EVENTS_MAX = 10_000
const KEPT_SECONDS = 300
const PATHS_BYTES_MAX = 4 * 1_048_576

/** What programs that search the web read: the pages that are worth finding, and those that belong to one visitor. */
export function robotPages(app: App, { config, ledger, pulse, now }: PageParts): void {
  const sitemaps = new ReadCache<readonly Place[]>({
    load: async ({ isFresh }) => {
      const events = await pulse.ask(() => listForSitemap(isFresh ? ledger.db : ledger.replica, EVENTS_MAX))
      const hosts = [...new Set(events.map(({ slug }) => slug))].map((slug) => ({ path: `/o/${slug}`, at: null }))
      const shows = events.map(({ id, changed_at }) => ({ path: `/events/${id}`, at: changed_at }))
      return new Map([[SITE, [{ path: '/', at: null }, ...hosts, ...shows]]])
    },
    weigh: (places) => places.length * 100,
    weightMax: PATHS_BYTES_MAX,
    batchMax: 1,
    batchesAtOnce: 1,
    waitingMax: 10,
    now,
  })
  app.get('/sitemap.xml', { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    const origin = ownOrigin(config, request)
    const places = (await sitemaps.read(SITE)) ?? []
    return reply
      .header('cache-control', `public, max-age=${KEPT_SECONDS}`)
      .type('application/xml; charset=utf-8')
      .send(writeSitemap(places, origin))
  })
  app.get('/robots.txt', { config: { access: 'public' }, schema: { hide: true } }, (request, reply) => {
    const rules = PRIVATE.map((path) => `Disallow: ${path}\n`).join('')
    return reply
      .header('cache-control', `public, max-age=${KEPT_SECONDS}`)
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\n${rules}\nSitemap: ${ownOrigin(config, request)}/sitemap.xml\n`)
  })
}

const SITE = 'site'

interface Place {
  readonly path: string
  readonly at: Date | null
}

/** Pages of one visitor, and the line: opening it is joining it. */
const PRIVATE = ['/events/*/wait', '/events/*/seats', '/checkout/', '/etickets/', '/reservations', '/console', '/api/']

/** Paths have no character that means anything in XML; the origin is this site's own. */
function writeSitemap(places: readonly Place[], origin: string): string {
  const entries = places.map(({ path, at }) => {
    const changed = at === null ? '' : `<lastmod>${at.toISOString()}</lastmod>`
    return `<url><loc>${escapeXml(origin + path)}</loc>${changed}</url>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

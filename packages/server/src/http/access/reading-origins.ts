import type { Config } from '../../config/index.ts'
import type { App } from '../http-server.ts'

/**
 * Lets the scripts of listed sites read what is public. They come without cookies: nothing that belongs to a visitor is told, and
 * nothing is changed.
 */
export function allowReading(app: App, { readingOrigins }: Pick<Config, 'readingOrigins'>): void {
  if (readingOrigins.length === 0) return
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { access } = request.routeOptions.config
    const isPublic = access === 'public' || access === 'public-or-signed-in'
    if (!isPublic || request.method !== 'GET' || !request.url.startsWith('/api/')) return done()
    // Also for those who are not listed: a cache must not give them another's answer.
    const vary = reply.getHeader('vary')
    reply.header('vary', vary === undefined ? 'origin' : `${String(vary)}, origin`)
    const { origin } = request.headers
    if (origin !== undefined && readingOrigins.includes(origin)) {
      reply.headers({ 'access-control-allow-origin': origin, 'cross-origin-resource-policy': 'cross-origin' })
    }
    done()
  })
}

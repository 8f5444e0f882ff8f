import { SeatwiseError } from '@seatwise/domain'
import { ASSETS_PATH, type Asset, type Assets } from '@seatwise/web'
import type { App } from '../../http/index.ts'

/** Sites that show the button get a newer script within an hour. */
const EMBED_CACHE = 'public, max-age=3600'
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** A worker obeys the policy that its own script comes with: the worker of the audit page reads the log. */
const SCRIPT_POLICY =
  "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** The assets of pages. The name of a file changes with its content, so that browsers can cache it for good. */
export function assetRoutes(app: App, assets: Assets | null): void {
  namedScripts(app, assets)
  app.get<{ Params: { file: string } }>(
    `${ASSETS_PATH}:file`,
    { config: { access: 'public' }, schema: { hide: true } },
    (request, reply) => {
      const asset = assets?.files.get(request.params.file)
      if (asset === undefined) throw new SeatwiseError('NOT_FOUND')
      const { encoding, body } = encodingFor(asset, request.headers['accept-encoding'] ?? '')
      if (encoding !== null) reply.header('content-encoding', encoding)
      if (request.params.file.endsWith('.js')) reply.header('content-security-policy', SCRIPT_POLICY)
      return reply.headers({ 'cache-control': IMMUTABLE, vary: 'accept-encoding' }).type(asset.type).send(body)
    },
  )
}

/** Scripts with one address for good, because other sites, and browsers that look for a newer worker, name it. */
function namedScripts(app: App, assets: Assets | null): void {
  const scriptOf = (entry: string): Asset => {
    const [script = ''] = assets?.scripts(entry) ?? []
    const asset = assets?.files.get(script.slice(ASSETS_PATH.length))
    if (asset === undefined) throw new SeatwiseError('NOT_FOUND')
    return asset
  }
  const config = { access: 'public' } as const
  // A worker sees no page above its own folder.
  app.get('/console/door-worker.js', { config, schema: { hide: true } }, (_request, reply) => {
    const { type, plain } = scriptOf('door-worker')
    return reply
      .headers({ 'cache-control': 'no-cache', 'content-security-policy': SCRIPT_POLICY })
      .type(type)
      .send(plain)
  })
  app.get('/embed.js', { config, schema: { hide: true } }, (request, reply) => {
    const asset = scriptOf('embed')
    const { encoding, body } = encodingFor(asset, request.headers['accept-encoding'] ?? '')
    if (encoding !== null) reply.header('content-encoding', encoding)
    return reply
      .headers({ 'cache-control': EMBED_CACHE, vary: 'accept-encoding' })
      .headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })
      .type(asset.type)
      .send(body)
  })
}

function encodingFor(
  { brotli, gzip, plain }: Asset,
  accepted: string,
): { encoding: 'br' | 'gzip' | null; body: Buffer } {
  if (brotli !== null && /\bbr\b(?!;\s*q=0(?:\D|$))/.test(accepted)) return { encoding: 'br', body: brotli }
  if (gzip !== null && /\bgzip\b(?!;\s*q=0(?:\D|$))/.test(accepted)) return { encoding: 'gzip', body: gzip }
  return { encoding: null, body: plain }
}

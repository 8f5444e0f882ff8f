import { SeatwiseError } from '@seatwise/domain'
import { ASSETS_PATH, type Asset, type Assets } from '@seatwise/web'
import type { App } from '../../http/index.ts'

const IMMUTABLE = 'public, max-age=31536000, immutable'

/** A worker obeys the policy that its own script comes with: the worker of the audit page reads the log. */
const SCRIPT_POLICY =
  "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** The assets of pages. The name of a file changes with its content, so that browsers can cache it for good. */
export function assetRoutes(app: App, assets: Assets | null): void {
  doorWorkerRoute(app, assets)
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

/** A worker has one address for good: browsers look there for a newer one. It sees no page above its own folder. */
function doorWorkerRoute(app: App, assets: Assets | null): void {
  app.get('/console/door-worker.js', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) => {
    const [script = ''] = assets?.scripts('door-worker') ?? []
    const asset = assets?.files.get(script.slice(ASSETS_PATH.length))
    if (asset === undefined) throw new SeatwiseError('NOT_FOUND')
    return reply
      .headers({ 'cache-control': 'no-cache', 'content-security-policy': SCRIPT_POLICY })
      .type(asset.type)
      .send(asset.plain)
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

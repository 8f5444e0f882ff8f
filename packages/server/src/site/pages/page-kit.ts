import { brotliCompressSync, constants } from 'node:zlib'
import {
  type Assets,
  chooseLanguage,
  type Language,
  loadAssets,
  type Page,
  readLanguage,
  renderPage,
  type SpokenLanguage,
  type Viewer,
  withRegion,
} from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import { addCookie, CONTENT_SECURITY_POLICY_PAGE, isOperator, readCookie } from '../../http/index.ts'
import { tellStale } from '../../kit/index.ts'
import { listeningOrigins } from '../../push/index.ts'
import type { HostReads } from '../hosts/host-reads.ts'
import { forgetCanceled } from './canceled-notice.ts'
import { ownPath } from './own-path.ts'

const LANGUAGE_COOKIE = 'seatwise-language'
const YEAR_SECONDS = 31_536_000

/** What every page is sent with: the visitor's language, the frame, and the headers of pages. */
export interface PageKit {
  readonly assets: Assets | null
  languageOf(request: FastifyRequest): Language
  /** Of mail to this visitor. */
  mailLanguageOf(request: FastifyRequest): SpokenLanguage
  send(request: FastifyRequest, reply: FastifyReply, page: Page, statusCode?: number): FastifyReply
}

export function createPageKit(services: BoxOfficeServices, hosts: HostReads): PageKit {
  const { config, log } = services
  const assets = loadAssets()
  const origins = listeningOrigins(config.realtime)
  if (assets === null) log.warn('the web assets are not built: pages have no styles and no scripts')
  const mailLanguageOf = (request: FastifyRequest): SpokenLanguage =>
    chooseLanguage({
      query: queryOf(request, 'lang'),
      cookie: readCookie(config, request, LANGUAGE_COOKIE) ?? undefined,
      header: request.headers['accept-language'],
    })
  const languageOf = (request: FastifyRequest): Language =>
    withRegion(mailLanguageOf(request), request.headers['accept-language'])
  return {
    assets,
    languageOf,
    mailLanguageOf,
    send(request, reply, page, statusCode = 200) {
      const chosen = readLanguage(queryOf(request, 'lang'))
      if (chosen !== null) {
        addCookie(config, { request, reply }, { name: LANGUAGE_COOKIE, value: chosen, seconds: YEAR_SECONDS })
      }
      // A page that reloads by itself would lose the notice before it is read.
      if (request.canceled !== null && page.refreshSeconds === undefined) forgetCanceled(config, { request, reply })
      const site = { house: hosts.knownHouse(), realtime: config.realtime.provider }
      const viewer = { ...viewerOf(request, languageOf(request)), ...site }
      const { text, styleSources } = renderPage(assets, viewer, page)
      const policy = policyWith(styleSources, page.listens === true ? origins : [])
      const { encoding, body } = encode(text, request.headers['accept-encoding'] ?? '')
      if (encoding !== null) reply.header('content-encoding', encoding)
      tellStale(reply, request.staleSeconds)
      return reply
        .code(statusCode)
        .headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
        .header('vary', 'accept-encoding')
        .type('text/html; charset=utf-8')
        .send(body)
    },
  }
}

/** Far below Brotli's best: 0.2 ms for a page of 12 KB, to a third. A page that is sent once is not worth more. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Pages hold no secret that outlives them, so that nothing can be guessed from their compressed size. */
function encode(text: string, accepted: string): { encoding: 'br' | null; body: Buffer | string } {
  if (!/\bbr\b(?!;\s*q=0(?:\D|$))/.test(accepted)) return { encoding: null, body: text }
  return { encoding: 'br', body: brotliCompressSync(text, QUALITY) }
}

function policyWith(styleSources: readonly string[], origins: readonly string[]): string {
  const styles = ["style-src 'self'", ...styleSources].join(' ')
  const policy = CONTENT_SECURITY_POLICY_PAGE.replace("style-src 'self'", styles)
  return origins.length === 0 ? policy : `${policy}; connect-src 'self' ${origins.join(' ')}`
}

function viewerOf(
  { actor, raw, canceled, staleSeconds }: FastifyRequest,
  language: Language,
): Omit<Viewer, 'realtime' | 'house'> {
  // Who still has to show a passkey finds the console, which asks for it.
  const isStaff = isOperator(actor) || actor?.isWeak === true
  const person = actor === null ? null : { name: actor.role === 'guest' ? null : (actor.name ?? ''), isStaff }
  return { language, person, path: ownPath(raw.url), canceled: canceled ?? [], isStale: staleSeconds !== null }
}

/** One value of the query string; the first, if the client sends several. */
export function queryOf(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, unknown> | undefined)?.[name]
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' ? first : undefined
}

import { type SignInProblem, signInPage } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type App, addCookie, ownOrigin, readCookie } from '../../../http/index.ts'
import {
  beginSignIn,
  comerOf,
  type Flow,
  finishSignIn,
  LINK_LIMIT,
  type Provider,
  readSessionCookie,
  type SignInByProvider,
} from '../../../identity/index.ts'
import { ownPath } from '../own-path.ts'
import { queryOf } from '../page-kit.ts'
import type { PageParts } from '../page-parts.ts'
import { goOn } from './go-on.ts'
import { keepArrival } from './keep-arrival.ts'
import { waysIn } from './ways-in.ts'

/** What only this browser knows of a sign-in that is under way at the provider. */
const FLOW_COOKIE = 'seatwise-openid'
/** As long as people look for a password. */
const FLOW_SECONDS = 15 * 60
const CALLBACK = '/sign-in/openid/callback'
const options = { config: { access: 'public', rateLimit: LINK_LIMIT }, schema: { hide: true } } as const

/** Staff sign in by the house's own provider, where there is one: to it, and back. */
export function openidPages(app: App, parts: PageParts): void {
  const { provider } = parts.identity
  if (provider === null) return
  app.get('/sign-in/openid', options, async (request, reply) => {
    const next = ownPath(queryOf(request, 'next'))
    const isAgain = queryOf(request, 'again') !== undefined
    const redirectUri = `${ownOrigin(parts.config, request)}${CALLBACK}`
    try {
      const { url, flow } = await beginSignIn(provider, { next, redirectUri, isAgain })
      const value = Buffer.from(JSON.stringify(flow)).toString('base64url')
      addCookie(parts.config, { request, reply }, { name: FLOW_COOKIE, value, seconds: FLOW_SECONDS })
      return reply.header('cache-control', 'no-store').redirect(url, 303)
    } catch (error) {
      request.log.warn({ err: error }, 'the OpenID provider is away')
      return refuse(parts, request, reply, { problem: 'providerAway', next })
    }
  })
  app.get(CALLBACK, options, async (request, reply) => await finish(parts, provider, request, reply))
}

async function finish(
  parts: PageParts,
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { config } = parts
  const flow = readFlow(readCookie(config, request, FLOW_COOKIE))
  // Good once, whatever becomes of it.
  addCookie(config, { request, reply }, { name: FLOW_COOKIE, value: '', seconds: 0 })
  if (flow === null) return refuse(parts, request, reply, { problem: 'providerRefused', next: '/' })
  const next = ownPath(flow.next)
  const answer = new URL(request.raw.url ?? CALLBACK, ownOrigin(config, request))
  const comer = comerOf(request, readSessionCookie(config, request) ?? undefined)
  const outcome = await finishSignIn(parts, provider, { answer, flow, comer })
  if (outcome.status !== 'signed_in') return refuse(parts, request, reply, { problem: PROBLEMS[outcome.status], next })
  keepArrival(parts, request, reply, outcome.session)
  return goOn(parts, request, reply, next)
}

function readFlow(cookie: string | null): Flow | null {
  if (cookie === null || !/^[\w-]{1,2000}$/.test(cookie)) return null
  const text = Buffer.from(cookie, 'base64url').toString()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
  const { state, nonce, verifier, next } = (value ?? {}) as Record<string, unknown>
  const isWhole = [state, nonce, verifier, next].every((part) => typeof part === 'string' && part !== '')
  return isWhole ? ({ state, nonce, verifier, next } as Flow) : null
}

const PROBLEMS = {
  refused: 'providerRefused',
  not_allowed: 'providerNotAllowed',
  of_another: 'providerOfAnother',
  away: 'providerAway',
} as const satisfies Record<Exclude<SignInByProvider['status'], 'signed_in'>, SignInProblem>

/** The sign-in page has every other way in. */
function refuse(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { problem, next }: { readonly problem: SignInProblem; readonly next: string },
): FastifyReply {
  const form = { kind: 'known', next, email: '', name: '', problem, ...waysIn(parts) } as const
  if (problem === 'providerAway') reply.header('retry-after', '5')
  const page = signInPage(parts.kit.languageOf(request), form)
  return parts.kit.send(request, reply, page, problem === 'providerAway' ? 503 : 422)
}

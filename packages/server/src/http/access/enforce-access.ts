import { SeatwiseError } from '@seatwise/domain'
import type { FastifyInstance, FastifyRequest, FastifySchema, RouteOptions } from 'fastify'
import type { Access, Actor } from './access.ts'
import { isPrivate } from './address.ts'
import type { Callers, Refusal } from './callers.ts'
import { judgeAct } from './judge-act.ts'
import { isAct } from './may-do.ts'
import { foreignSale, type ServesSale, servesSale } from './sale-scope.ts'
import { isWeak, strongNeeded } from './strong.ts'

export interface AccessRule {
  readonly method: string
  readonly url: string
  readonly access: Access
  /** How the route serves tokens that are limited to one sale; undefined where it refuses them. */
  readonly sale: ServesSale | undefined
  /** Whether the caller must have signed in, or repeated it, a moment ago. */
  readonly isFresh: boolean
  /** The request and response schemas, as the route states them. */
  readonly schema: FastifySchema
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The access rule for every method of every route. */
    accessRules: readonly AccessRule[]
  }
}

/**
 * A route that does not state who may call it throws when it is added, so the server does not start: no route is public
 * by accident. The caller is identified before the body is read. Must be called before any route is added.
 *
 * `pluginRoutes` states the rule for whole paths, for routes that plugins add and that cannot state it themselves.
 */
export function enforceAccess(
  app: FastifyInstance,
  callers: Callers,
  pluginRoutes: Readonly<Record<string, Access>> = {},
): void {
  const rules: AccessRule[] = []
  app.decorate('accessRules', rules)
  app.decorateRequest('actor', null)
  app.addHook('onRoute', (route) => {
    const access = stateAccess(route, pluginRoutes)
    const { sale, fresh: isFresh = false } = route.config ?? {}
    const rule = { url: route.url, access, sale, isFresh, schema: route.schema ?? {} }
    for (const method of [route.method].flat()) rules.push({ method, ...rule })
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const refusal = refuseBorrowed(request, callers) ?? judge(request, callers)
    if (refusal instanceof Promise) refusal.then(done, done)
    else done(refusal)
  })
}

/**
 * A guest's belongings move to an account only with the guest's own token, which a device that took a place over lacks.
 */
function refuseBorrowed(request: FastifyRequest, { tokens }: Callers): Refusal {
  const header = request.headers['seatwise-guest']
  if (typeof header !== 'string') return undefined
  return tokens.read(header)?.sale === undefined ? undefined : foreignSale()
}

function stateAccess(route: RouteOptions, pluginRoutes: Readonly<Record<string, Access>>): Access {
  const stated = route.config?.access ?? accessOfPlugin(route.url, pluginRoutes)
  if (stated === undefined || (Array.isArray(stated) && stated.length === 0)) {
    throw new Error(`${String(route.method)} ${route.url} does not state who may call it: set config.access.`)
  }
  route.config = { ...route.config, access: stated }
  return stated
}

function accessOfPlugin(url: string, pluginRoutes: Readonly<Record<string, Access>>): Access | undefined {
  for (const [path, access] of Object.entries(pluginRoutes)) {
    if (url === path || url.startsWith(`${path}/`)) return access
  }
  return undefined
}

const API_KEY_PREFIX = 'swk_'

/** Why a request is refused. Buyers and guests are checked synchronously; only privileged roles need a look-up. */
function judge(request: FastifyRequest, callers: Callers): Refusal | Promise<Refusal> {
  const { access } = request.routeOptions.config
  if (access === 'public' || request.is404) return undefined
  if (access === undefined) return new Error(`${request.routeOptions.url} does not state who may call it`)
  if (access === 'ticket' || access === 'ticket-or-pass') return callers.judgeHolder(request, access)
  const token = bearerToken(request.headers.authorization)
  if (token?.startsWith(API_KEY_PREFIX)) return judgeKey(request, access, token, callers)
  const actor = token === null ? actorOfSession(request, callers) : callers.tokens.verify(token)
  if (actor === null && token === null) return refuseStranger(request, access)
  if (actor === null) return new SeatwiseError('UNAUTHORIZED', { message: 'The access token is not valid' })
  if (isPlain(request, access, actor, callers)) return letIn(request, access, actor, callers)
  const isOptional = token === null && request.routeOptions.config.isForAll === true
  return isOptional ? judgeOptional(request, access, actor, callers) : judgePrivileged(request, access, actor, callers)
}

/**
 * A client sends a header on purpose, a cookie automatically. A cookie that expired or is for another sale is ignored.
 */
function actorOfSession(request: FastifyRequest, callers: Callers): Actor | null {
  const session = callers.sessionOf(request)
  const actor = session === null ? null : callers.tokens.verify(session)
  return actor !== null && mayActHere(actor, request) ? actor : null
}

/** A session may have ended on another server: without a recent list, privileged calls are refused (A35). */
async function judgePrivileged(
  request: FastifyRequest,
  access: Access,
  actor: Actor,
  callers: Callers,
): Promise<Refusal> {
  const { ended, actors } = callers
  try {
    await ended.recent()
    const known = ended.has(actor) ? null : isLookedUp(actor) ? await actors.find(actor) : actor
    if (known === null || !isAct(access)) return letIn(request, access, await weighed(known, callers), callers)
    if (!mayActHere(known, request)) return foreignSale()
    return await judgeAct(request, access, known, callers)
  } catch (cause) {
    return new SeatwiseError('UNAVAILABLE', { cause })
  }
}

/** The same where the caller may as well be a stranger: the page matters more than who looks at it (C10). */
async function judgeOptional(
  request: FastifyRequest,
  access: Access,
  actor: Actor,
  callers: Callers,
): Promise<Refusal> {
  const { ended, actors, ask } = callers
  let known: Actor | null
  try {
    known = await ask(async () => {
      await ended.recent()
      return ended.has(actor) ? null : await weighed(isLookedUp(actor) ? await actors.find(actor) : actor, callers)
    })
  } catch {
    return refuseStranger(request, access)
  }
  return letIn(request, access, known, callers)
}

/** Marks a caller whose session is too weak for its power. */
async function weighed(actor: Actor | null, { strong }: Callers): Promise<Actor | null> {
  return actor !== null && (await isWeak(actor, strong)) ? { ...actor, isWeak: true } : actor
}

/** An empty string means that the header holds no token in a form we understand: verification then refuses it. */
export function bearerToken(header: string | undefined): string | null {
  if (header === undefined) return null
  const match = /^bearer +([^ ]+)$/i.exec(header)
  return match?.[1] ?? ''
}

function refuseStranger(request: FastifyRequest, access: Access): Refusal {
  if (access === 'public-or-signed-in') return undefined
  if (access === 'local-network' && isDirectlyFromNearby(request)) return undefined
  return new SeatwiseError('UNAUTHORIZED')
}

function letIn(request: FastifyRequest, access: Access, actor: Actor | null, { teams }: Callers): Refusal {
  if (actor === null) return new SeatwiseError('UNAUTHORIZED', { message: 'This session has ended: sign in again' })
  const isAllowed =
    typeof access === 'string'
      ? access !== 'local-network' || actor.role === 'admin' || isDirectlyFromNearby(request)
      : isAct(access) || access.includes(actor.role)
  if (!isAllowed) return new SeatwiseError('FORBIDDEN')
  if (actor.isWeak && asksPower(request, access)) return strongNeeded()
  if (!mayActHere(actor, request)) return foreignSale()
  const roles = teams.of(actor)
  request.actor = roles.size === 0 ? actor : { ...actor, teams: roles }
  return undefined
}

/** Whether a caller was let in for a power that buyers do not have. */
function asksPower(request: FastifyRequest, access: Access): boolean {
  if (access === 'local-network') return !isDirectlyFromNearby(request)
  return Array.isArray(access) && !access.includes('buyer')
}

/** Only tokens that came with a hand-over are limited to a sale. */
function mayActHere({ sale }: Actor, request: FastifyRequest): boolean {
  return sale === undefined || servesSale(request, sale)
}

/** A forwarded request comes from its original sender, even if the proxy is on the local network. */
function isDirectlyFromNearby(request: FastifyRequest): boolean {
  const { forwarded, 'x-forwarded-for': forwardedFor } = request.headers
  return forwarded === undefined && forwardedFor === undefined && isPrivate(request.socket.remoteAddress)
}

/**
 * Buyers and guests are let in without a look-up, except where an act is asked of an account; where a buyer is served as well,
 * only of members.
 */
function isPlain(request: FastifyRequest, access: Access, actor: Actor, { teams, strong }: Callers): boolean {
  if (isLookedUp(actor) || strong.isAsked(actor)) return false
  if (!isAct(access)) return true
  return access.orOwner === true && (actor.role === 'guest' || teams.of(actor).size === 0) && mayActHere(actor, request)
}

/** The token of a buyer or guest gives no power that an account could have lost. */
const isLookedUp = ({ role }: Actor): boolean => role === 'staff' || role === 'organizer' || role === 'admin'

/** API keys do what operators do, and read what every caller may read: they never join, reserve or have an account. */
async function judgeKey(request: FastifyRequest, access: Access, key: string, callers: Callers): Promise<Refusal> {
  const { ended, teams } = callers
  let actor: Actor | null
  try {
    await ended.recent()
    actor = await teams.findKey(key)
    if (actor === null) return new SeatwiseError('UNAUTHORIZED', { message: 'The API key is not valid' })
    if (isAct(access)) return await judgeAct(request, access, actor, callers)
  } catch (cause) {
    return new SeatwiseError('UNAVAILABLE', { cause })
  }
  if (request.routeOptions.config.isForAll !== true) {
    return new SeatwiseError('FORBIDDEN', { message: 'An API key cannot do this' })
  }
  return letIn(request, access, actor, callers)
}

import { SeatwiseError } from '@seatwise/domain'
import type { FastifyInstance, FastifyRequest, FastifySchema, RouteOptions } from 'fastify'
import type { Identity } from '../../identity/identity.ts'
import type { TicketClaims } from '../../rooms/room.ts'
import type { PassClaims } from '../../rooms/tokens/pass.ts'
import type { Access, Actor, Role } from './access.ts'
import { isPrivate } from './address.ts'
import { foreignSale, type ServesSale, servesSaleOf } from './sale-scope.ts'

/** Reads what a request proves beside an access token: tickets, or a pass. What is not ours is left out. */
export interface Proofs {
  ticketsOf(request: FastifyRequest): readonly TicketClaims[]
  passOf(request: FastifyRequest): PassClaims | null
  /** The access token in the cookie of our own pages. */
  sessionOf(request: FastifyRequest): string | null
}

export interface AccessRule {
  readonly method: string
  readonly url: string
  readonly access: Access
  /** How it serves tokens that are good for one sale; undefined where it does not. */
  readonly sale: ServesSale | undefined
  /** What it takes and gives, as the route says. */
  readonly schema: FastifySchema
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The tickets that the request proves to hold, in routes for holders of tickets: one, or those of the cookie. */
    tickets: readonly TicketClaims[]
    /** The pass that the request carries, in routes that take one. */
    pass: PassClaims | null
  }
  interface FastifyInstance {
    /** Who may call what: one rule for every method of every route. */
    accessRules: readonly AccessRule[]
  }
}

/**
 * Nothing is open by accident: a route that does not state who may call it throws when it is added, so the server
 * does not start. Who calls is decided before the body is read. Must be called before any route is added.
 *
 * `pluginRoutes` states it for whole paths whose routes come from plugins and cannot do so themselves.
 */
export function enforceAccess(
  app: FastifyInstance,
  identity: Who,
  proofs: Proofs,
  pluginRoutes: Readonly<Record<string, Access>> = {},
): void {
  const rules: AccessRule[] = []
  app.decorate('accessRules', rules)
  app.decorateRequest('actor', null)
  // Decorations must not be shared objects; every route that reads it has it set below.
  app.decorateRequest('tickets')
  app.decorateRequest('pass', null)
  app.addHook('onRoute', (route) => {
    const access = stateAccess(route, pluginRoutes)
    for (const method of [route.method].flat())
      rules.push({ method, url: route.url, access, sale: route.config?.sale, schema: route.schema ?? {} })
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const refusal = refuseBorrowed(request, identity) ?? judge(request, identity, proofs)
    if (refusal instanceof Promise) refusal.then(done, done)
    else done(refusal)
  })
}

/** What belongs to a guest moves to an account only by the guest's own token: a device that took a place over has none. */
function refuseBorrowed(request: FastifyRequest, { tokens }: Who): Refusal {
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

type Who = Pick<Identity, 'tokens' | 'actors' | 'ended'>
type Refusal = Error | undefined

/** Why a request is refused. Buyers and guests are judged without waiting; only privileges are looked up. */
function judge(request: FastifyRequest, identity: Who, proofs: Proofs): Refusal | Promise<Refusal> {
  const { access } = request.routeOptions.config
  if (access === 'public' || request.is404) return undefined
  if (access === undefined) return new Error(`${request.routeOptions.url} does not state who may call it`)
  if (access === 'ticket' || access === 'ticket-or-pass') return judgeHolder(request, access, proofs)
  const token = bearerToken(request.headers.authorization)
  const actor = token === null ? actorOfSession(request, identity, proofs) : identity.tokens.verify(token)
  if (actor === null && token === null) return refuseStranger(request, access)
  if (actor === null) return new SeatwiseError('UNAUTHORIZED', { message: 'The access token is not valid' })
  return isPrivileged(actor.role) ? judgePrivileged(request, access, actor, identity) : letIn(request, access, actor)
}

/** A header was meant; a cookie only came along. One that is too old, or of another sale, therefore counts as none. */
function actorOfSession(request: FastifyRequest, { tokens }: Who, proofs: Proofs): Actor | null {
  const session = proofs.sessionOf(request)
  const actor = session === null ? null : tokens.verify(session)
  return actor !== null && servesSaleOf(actor, request) ? actor : null
}

/** A ticket or a pass suffices alone. Of which room it must be, the route knows. */
function judgeHolder(request: FastifyRequest, access: 'ticket' | 'ticket-or-pass', proofs: Proofs): Refusal {
  if (access === 'ticket-or-pass' && request.headers['seatwise-pass'] !== undefined) {
    request.pass = proofs.passOf(request)
    return request.pass === null ? new SeatwiseError('NOT_ACTIVE') : undefined
  }
  request.tickets = proofs.ticketsOf(request)
  return request.tickets.length === 0 ? new SeatwiseError('BAD_TICKET') : undefined
}

/** A session may have ended on another server: the list must be recent, or privileged calls are refused (A35). */
async function judgePrivileged(
  request: FastifyRequest,
  access: Access,
  actor: Actor,
  { ended, actors }: Who,
): Promise<Refusal> {
  try {
    await ended.recent()
    return letIn(request, access, ended.has(actor) ? null : await actors.find(actor))
  } catch (cause) {
    return new SeatwiseError('UNAVAILABLE', { cause })
  }
}

/** An empty string means that no token was sent in a form we understand: it is then looked at, and refused. */
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

function letIn(request: FastifyRequest, access: Access, actor: Actor | null): Refusal {
  if (actor === null) return new SeatwiseError('UNAUTHORIZED', { message: 'This session has ended: sign in again' })
  const isAllowed =
    typeof access === 'string'
      ? access !== 'local-network' || actor.role === 'admin' || isDirectlyFromNearby(request)
      : access.includes(actor.role)
  if (!isAllowed) return new SeatwiseError('FORBIDDEN')
  if (!servesSaleOf(actor, request)) return foreignSale()
  request.actor = actor
  return undefined
}

/** A forwarded request comes from wherever its sender is, however near the proxy stands. */
function isDirectlyFromNearby(request: FastifyRequest): boolean {
  const { forwarded, 'x-forwarded-for': forwardedFor } = request.headers
  return forwarded === undefined && forwardedFor === undefined && isPrivate(request.socket.remoteAddress)
}

const isPrivileged = (role: Role): boolean => role === 'staff' || role === 'organizer' || role === 'admin'

import { SeatwiseError } from '@seatwise/domain'
import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify'
import type { AccessTokens } from '../tokens/access-token.ts'
import type { Access, Actor, Role } from './access.ts'
import { isPrivate } from './address.ts'

export interface AccessRule {
  readonly method: string
  readonly url: string
  readonly access: Access
}

export interface AccessOptions {
  readonly tokens: AccessTokens
  /** Who somebody with a privileged token is now; null when the account is gone. */
  readonly currentActor: (actor: Actor) => Promise<Actor | null>
  /** Routes that plugins add and that cannot state it themselves: everything under a path. */
  readonly pluginRoutes?: Readonly<Record<string, Access>>
}

/**
 * Nothing is open by accident: a route that does not state who may call it throws when it is added, so the server
 * does not start. Who calls is decided before the body is read. Must be called before any route is added.
 *
 * Returns the rules of all routes, which fills as routes are added.
 */
export function enforceAccess(app: FastifyInstance, options: AccessOptions): readonly AccessRule[] {
  const rules: AccessRule[] = []
  app.decorateRequest('actor', null)
  app.addHook('onRoute', (route) => {
    const access = stateAccess(route, options.pluginRoutes ?? {})
    for (const method of [route.method].flat()) rules.push({ method, url: route.url, access })
  })
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) return done()
    const { access } = request.routeOptions.config
    if (access === undefined) return done(new Error(`${request.routeOptions.url} does not state who may call it`))
    if (access === 'public') return done()
    admit(request, access, options, done)
  })
  return rules
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

/** Buyers and guests are let through without waiting; only those with privileges are looked up. */
function admit(
  request: FastifyRequest,
  access: Exclude<Access, 'public'>,
  options: AccessOptions,
  done: HookHandlerDoneFunction,
): void {
  const token = bearerToken(request.headers.authorization)
  if (token === null) return done(refuseStranger(request, access))
  const actor = options.tokens.verify(token)
  if (actor === null) return done(new SeatwiseError('UNAUTHORIZED', { message: 'The access token is not valid' }))
  if (!isPrivileged(actor.role)) return done(letIn(request, access, actor))
  options.currentActor(actor).then(
    (current) => done(letIn(request, access, current)),
    (cause: unknown) => done(new SeatwiseError('UNAVAILABLE', { cause })),
  )
}

/** An empty string means that no token was sent in a form we understand: it is then looked at, and refused. */
function bearerToken(header: string | undefined): string | null {
  if (header === undefined) return null
  const match = /^bearer +([^ ]+)$/i.exec(header)
  return match?.[1] ?? ''
}

function refuseStranger(request: FastifyRequest, access: Exclude<Access, 'public'>): SeatwiseError | undefined {
  if (access === 'public-or-signed-in') return undefined
  if (access === 'local-network' && isDirectlyFromNearby(request)) return undefined
  return new SeatwiseError('UNAUTHORIZED')
}

function letIn(request: FastifyRequest, access: Access, actor: Actor | null): SeatwiseError | undefined {
  if (actor === null) return new SeatwiseError('UNAUTHORIZED', { message: 'This account does not exist any more' })
  const isAllowed =
    typeof access === 'string'
      ? access !== 'local-network' || actor.role === 'admin' || isDirectlyFromNearby(request)
      : access.includes(actor.role)
  if (!isAllowed) return new SeatwiseError('FORBIDDEN')
  request.actor = actor
  return undefined
}

/** A forwarded request comes from wherever its sender is, however near the proxy stands. */
function isDirectlyFromNearby(request: FastifyRequest): boolean {
  const { forwarded, 'x-forwarded-for': forwardedFor } = request.headers
  return forwarded === undefined && forwardedFor === undefined && isPrivate(request.socket.remoteAddress)
}

const isPrivileged = (role: Role): boolean => role === 'staff' || role === 'organizer' || role === 'admin'

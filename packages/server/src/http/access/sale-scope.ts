import { SeatwiseError } from '@seatwise/domain'
import type { FastifyRequest } from 'fastify'
import type { Actor } from './access.ts'

/** The one sale that an access token is good for: it came with a hand-over. */
export interface SaleScope {
  readonly roomId: string
  /** Null for a room without an event. */
  readonly eventId: string | null
}

/**
 * How a route serves access tokens that are good for one sale; one that says nothing refuses them.
 *
 * - `path`: it is about the event or the room in its path.
 * - `checked`: it finds out by itself what it is about, and calls `requireSale` or leaves out what is of other sales.
 */
export type ServesSale = 'path' | 'checked'

declare module 'fastify' {
  interface FastifyContextConfig {
    sale?: ServesSale
  }
}

/** Whether the route of a request lets this actor in, as far as sales are concerned. */
export function servesSaleOf(actor: Actor, request: FastifyRequest): boolean {
  if (actor.sale === undefined) return true
  const { sale } = request.routeOptions.config
  if (sale !== 'path') return sale === 'checked'
  const { id } = request.params as { id?: string }
  return id !== undefined && [actor.sale.roomId, actor.sale.eventId].includes(id.toLowerCase())
}

/** Refuses an actor of another sale. To be called by every route that serves sales by `checked`. */
export function requireSale(actor: Actor, eventId: string): void {
  if (!isOfSale(actor, eventId)) throw foreignSale()
}

export function isOfSale({ sale }: Actor, eventId: string): boolean {
  return sale === undefined || sale.eventId === eventId
}

export function foreignSale(): SeatwiseError {
  return new SeatwiseError('FORBIDDEN', { message: 'This device took over a place and may act in that sale only' })
}

import { SeatwiseError } from '@seatwise/domain'
import type { FastifyRequest } from 'fastify'
import type { Actor } from './access.ts'

/** The one sale that an access token is limited to: the token was issued with a hand-over. */
export interface SaleScope {
  readonly roomId: string
  /** Null for a room without an event. */
  readonly eventId: string | null
}

/**
 * How a route serves access tokens that are limited to one sale; a route without it refuses them.
 *
 * - `path`: the path names the event or the room.
 * - `checked`: the handler finds the sale itself, and calls `requireSale` or leaves out the data of other sales.
 */
export type ServesSale = 'path' | 'checked'

declare module 'fastify' {
  interface FastifyContextConfig {
    sale?: ServesSale
  }
}

/** Whether the route of a request serves tokens that are limited to this sale. */
export function servesSale(request: FastifyRequest, { roomId, eventId }: SaleScope): boolean {
  const { sale } = request.routeOptions.config
  if (sale !== 'path') return sale === 'checked'
  const { id } = request.params as { id?: string }
  return id !== undefined && [roomId, eventId].includes(id.toLowerCase())
}

/** Refuses an actor of another sale. Every `checked` route must call it. */
export function requireSale(actor: Actor, eventId: string): void {
  if (!isOfSale(actor, eventId)) throw foreignSale()
}

export function isOfSale({ sale }: Actor, eventId: string): boolean {
  return sale === undefined || sale.eventId === eventId
}

export function foreignSale(): SeatwiseError {
  return new SeatwiseError('FORBIDDEN', { message: 'This device took over a place and may act in that sale only' })
}

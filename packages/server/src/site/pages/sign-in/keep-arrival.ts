import type { FastifyReply, FastifyRequest } from 'fastify'
import { keepSession, type Session } from '../../../identity/index.ts'
import { keepTickets } from '../../../rooms/index.ts'
import { keepCanceled } from '../canceled-notice.ts'
import type { PageParts } from '../page-parts.ts'

/** Stores the session, the adopted tickets, and the notice about reservations that could not be adopted. */
export function keepArrival(parts: PageParts, request: FastifyRequest, reply: FastifyReply, session: Session): void {
  keepSession(parts.config, request, reply, session)
  const tickets = (session.tickets ?? []).map(({ ticketToken: token, roomId: room }) => ({ token, room }))
  if (tickets.length > 0) keepTickets(parts, { request, reply }, tickets)
  keepCanceled(parts.config, { request, reply }, session.canceled ?? [])
}

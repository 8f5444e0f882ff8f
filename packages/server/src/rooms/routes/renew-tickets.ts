import type { Renewal } from '../../http/index.ts'
import type { RoomServices } from '../room-services.ts'
import { holdsRenewableTickets, keepTickets } from './ticket-cookie.ts'

/** The response header with the ticket token that the client should send from now on. */
const RENEWED_TICKET_HEADER = 'seatwise-renewed-ticket'

/** Renews ticket tokens that an older secret signed. */
export function createTicketRenewal(parts: Pick<RoomServices, 'config' | 'roomTokens'>): Renewal {
  return {
    kind: 'ticket',
    renewHeader(request, reply) {
      const { 'seatwise-ticket': sent } = request.headers
      const token = typeof sent === 'string' ? parts.roomTokens.tickets.renew(sent) : null
      if (token === null) return false
      reply.header(RENEWED_TICKET_HEADER, token)
      return true
    },
    renewCookie(request, reply) {
      if (!holdsRenewableTickets(parts, request, reply)) return false
      keepTickets(parts, { request, reply }, [])
      return true
    },
  }
}

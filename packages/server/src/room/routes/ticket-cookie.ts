import type { FastifyRequest } from 'fastify'
import { comesFromOwnPages, readCookie, writeCookie } from '../../access/own-pages.ts'
import type { Config } from '../../config.ts'

const PREFIX = 'seatwise-ticket-'

/** The cookie that holds the ticket token of one room, for Server-Sent Events and plain forms, which send no headers. */
export function ticketCookie(config: Config, request: FastifyRequest, roomPathId: string, ticketToken: string): string {
  return writeCookie(config, request, `${PREFIX}${roomPathId}`, ticketToken)
}

/** The ticket token in the room's cookie, if the request comes from the site itself (R27); otherwise null. */
export function readTicketCookie(
  config: Config,
  request: FastifyRequest,
  roomPathId: string | undefined = (request.params as { id?: string }).id,
): string | null {
  if (roomPathId === undefined || !comesFromOwnPages(config, request)) return null
  return readCookie(request, `${PREFIX}${roomPathId}`)
}

/** The same where the address of the page names the room otherwise than by `:id`, or in another spelling. */
export function ticketTokenIn(request: FastifyRequest, roomPathId: string): string | null {
  return readCookie(request, `${PREFIX}${roomPathId}`)
}

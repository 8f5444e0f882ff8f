import { SeatwiseError } from '@seatwise/domain'
import type { FastifyReply } from 'fastify'
import { comesFromOwnPages } from '../../access/own-pages.ts'
import { keepSession } from '../../access/session-cookie.ts'
import type { App } from '../../http-server.ts'
import type { Room } from '../room.ts'
import { HANDOVER_MS } from '../tokens/handover-code.ts'
import { requireCurrent } from './holder.ts'
import { type JoinedLine, joinLine } from './join-line.ts'
import { actOf, keyOf, operationOf, type RoomRequest, roomAndTicket, type VisitorParts } from './room-address.ts'
import { AcceptBody, HandoverAnswer, JoinAnswer, JoinBody, RoomPath } from './schemas.ts'
import { tellStanding } from './tell-standing.ts'
import { ticketCookie } from './ticket-cookie.ts'
import { sendJson, writeWaiting } from './write-waiting.ts'

const tags = ['room']

/** How a visitor gets a ticket token: by joining, or by taking over a place from another device. */
export function joiningRoutes(app: App, parts: VisitorParts): void {
  const { address, profiles } = parts

  app.post(
    `${address.path}/queue/join`,
    {
      config: { access: 'public-or-signed-in' },
      schema: { tags, summary: 'Join the line', params: RoomPath, body: JoinBody, response: { 200: JoinAnswer } },
    },
    async (request, reply) => {
      const room = address.standing(request.params.id) ?? (await address.find(request.params.id))
      const userAgent = request.headers['user-agent'] ?? null
      const visitor = { actor: request.actor, address: request.ip, userAgent, key: keyOf(request) }
      const joined = await joinLine(parts, room, visitor, request.body ?? {})
      profiles.remember(room.id, joined.view.number, joined.profile)
      return sendJoined(parts, { request, reply }, room, joined)
    },
  )
  handoverRoute(app, parts)
  acceptRoute(app, parts)
}

function handoverRoute(app: App, { address, roomTokens, now }: VisitorParts): void {
  app.post(
    `${address.path}/queue/handover`,
    {
      config: { access: 'ticket' },
      schema: {
        tags,
        summary: 'Take your place to another device',
        params: RoomPath,
        response: { 200: HandoverAnswer },
      },
    },
    async (request, reply) => {
      const { room, ticket } = await roomAndTicket(address, request)
      const { view } = await room.look(ticket)
      requireCurrent(ticket, view)
      if (view.state === 'completed' || view.state === 'expired') throw new SeatwiseError('TICKET_ENDED')
      const expiresAt = now() + HANDOVER_MS
      reply.header('cache-control', 'no-store')
      return { code: roomTokens.handovers.issue(ticket, expiresAt), expiresAt: new Date(expiresAt).toISOString() }
    },
  )
}

function acceptRoute(app: App, parts: VisitorParts): void {
  const { address, profiles, roomTokens, now } = parts
  app.post(
    `${address.path}/queue/handover/accept`,
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Take over a place from another device',
        params: RoomPath,
        body: AcceptBody,
        response: { 200: JoinAnswer },
      },
    },
    async (request, reply) => {
      const room = await address.find(request.params.id)
      const code = roomTokens.handovers.read(request.body.code)
      if (code === null || code.ticket.room !== room.id) throw new SeatwiseError('BAD_CODE')
      if (code.expiresAt <= now()) throw new SeatwiseError('BAD_CODE', { message: 'This code has expired' })
      const moved = await room.move({ ...actOf(code.ticket), operation: operationOf(request) })
      if (moved.status === 'moved') throw new SeatwiseError('TICKET_MOVED')
      if (moved.status !== 'moved_here') throw new SeatwiseError('TICKET_ENDED')
      const profile = await profiles.of(room.id, moved.number)
      const { identity } = code.ticket
      return sendJoined(parts, { request, reply }, room, { view: moved, identity, profile, guest: null })
    },
  )
}

/** The only answers that carry a ticket token. */
function sendJoined(
  { config, roomTokens }: VisitorParts,
  { request, reply }: { request: RoomRequest; reply: FastifyReply },
  room: Room,
  { view, identity, profile, guest }: JoinedLine,
): void {
  const ticketToken = roomTokens.tickets.issue({ ...view, identity, room: room.id })
  reply.header('cache-control', 'no-store')
  reply.header('set-cookie', ticketCookie(config, request, request.params.id, ticketToken))
  // Our own pages have a guest's access token where no script can read it.
  if (guest !== null && comesFromOwnPages(config, request)) keepSession(config, request, reply, guest)
  const standing =
    view.state === 'waiting' && view.rank !== null
      ? writeWaiting(room, view, view.rank, true, profile)
      : JSON.stringify(tellStanding(roomTokens, room, { view, exact: true }, profile))
  const guestFields = guest === null ? '}' : `,${JSON.stringify(guest).slice(1)}`
  sendJson(reply, `${standing.slice(0, -1)},"ticketToken":"${ticketToken}"${guestFields}`)
}

import { randomUUID } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import type { TicketAct } from '@seatwise/line'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../http-server.ts'
import type { Services } from '../../services.ts'
import type { Room, TicketClaims } from '../room.ts'
import { HANDOVER_MS } from '../tokens/handover-code.ts'
import { holderOf, requireCurrent, ticketOf } from './holder.ts'
import { type JoinedLine, joinLine } from './join-line.ts'
import { createProfiles } from './profiles.ts'
import {
  AcceptBody,
  ClaimAnswer,
  CompleteAnswer,
  ExtendAnswer,
  HandoverAnswer,
  JoinAnswer,
  JoinBody,
  NeighborsAnswer,
  NeighborsQuery,
  RoomPath,
  StatusAnswer,
} from './schemas.ts'
import { passOf, tellStanding } from './tell-standing.ts'
import { ticketCookie } from './ticket-cookie.ts'

/** Where a room is found: at its event's address, or at its own. */
export interface RoomAddress {
  readonly path: '/api/events/:id' | '/api/rooms/:id'
  readonly find: (id: string) => Promise<Room>
}

type RoomRequest = FastifyRequest<{ Params: { id: string } }>

const tags = ['room']
/** The ticket token is the proof; no account is needed beside it. */
const holder = { access: 'ticket' } as const

/** What visitors do in a room: join, look, claim, move, leave. The same at both addresses. */
export function queueRoutes(app: App, services: Services, { path, find }: RoomAddress): void {
  const { roomTokens: tokens, config } = services
  const profiles = createProfiles(services.ledger)

  const roomAndTicket = async (request: RoomRequest) => {
    const room = await find(request.params.id)
    return { room, ticket: ticketOf(request, room) }
  }

  app.post(
    `${path}/queue/join`,
    {
      config: { access: 'public-or-signed-in' },
      schema: { tags, summary: 'Join the line', params: RoomPath, body: JoinBody, response: { 200: JoinAnswer } },
    },
    async (request, reply) => {
      const room = await find(request.params.id)
      const userAgent = request.headers['user-agent'] ?? null
      const visitor = { actor: request.actor, address: request.ip, userAgent }
      const joined = await joinLine(services, room, visitor, request.body ?? {})
      profiles.remember(room.id, joined.view.number, joined.profile)
      return tellJoined(request, reply, room, joined)
    },
  )

  function tellJoined(request: RoomRequest, reply: FastifyReply, room: Room, joined: JoinedLine) {
    const { view, identity, profile, guest } = joined
    const ticketToken = tokens.tickets.issue({ ...view, identity, room: room.id, epoch: room.epoch })
    reply.header('cache-control', 'no-store')
    reply.header('set-cookie', ticketCookie(config, request, request.params.id, ticketToken))
    return { ...tellStanding(tokens, room, { view, exact: true }, profile), ticketToken, ...(guest ?? {}) }
  }

  app.get(
    `${path}/queue/status`,
    { config: holder, schema: { tags, summary: 'Where you stand', params: RoomPath, response: { 200: StatusAnswer } } },
    async (request, reply) => {
      const { room, ticket } = await roomAndTicket(request)
      const standing = await room.look(ticket)
      requireCurrent(ticket, standing.view)
      reply.header('cache-control', 'no-store')
      return tellStanding(tokens, room, standing, await profiles.of(room.id, ticket.number))
    },
  )

  app.post(
    `${path}/queue/claim`,
    { config: holder, schema: { tags, summary: 'Take your turn', params: RoomPath, response: { 200: ClaimAnswer } } },
    async (request) => {
      const { room, ticket } = await roomAndTicket(request)
      const reply = await room.claim(ticket)
      if (reply.status === 'moved') throw new SeatwiseError('TICKET_MOVED')
      if (reply.status !== 'active') throw new SeatwiseError('NOT_ADMITTED')
      const expiresAt = new Date(reply.deadline ?? reply.now).toISOString()
      return { status: 'active' as const, activeToken: passOf(tokens, room, reply), expiresAt }
    },
  )

  app.post(
    `${path}/queue/complete`,
    {
      config: { access: 'ticket-or-pass' },
      schema: { tags, summary: 'Finish, and free the slot', params: RoomPath, response: { 200: CompleteAnswer } },
    },
    async (request) => {
      const room = await find(request.params.id)
      const holding = await holderOf(request, room)
      const reply = await room.end({ ...actOf(holding), as: 'completed', operation: randomUUID() })
      if (reply.status === 'moved') throw new SeatwiseError('TICKET_MOVED')
      if (reply.status === 'not_on_floor') throw new SeatwiseError('NOT_ADMITTED')
      if (!('state' in reply) || reply.state !== 'completed') throw new SeatwiseError('TICKET_ENDED')
      return { status: 'completed' as const }
    },
  )

  app.post(
    `${path}/queue/extend`,
    { config: holder, schema: { tags, summary: 'More time, once', params: RoomPath, response: { 200: ExtendAnswer } } },
    async (request) => {
      const { room, ticket } = await roomAndTicket(request)
      const operation = operationOf(request)
      const reply = await room.extend({ ...actOf(ticket), byMs: room.settings.sessionSeconds * 1000, operation })
      if (reply.status === 'moved') throw new SeatwiseError('TICKET_MOVED')
      if (reply.status === 'already_extended') throw new SeatwiseError('ALREADY_EXTENDED')
      if (reply.status !== 'extended' || reply.deadline === null) throw new SeatwiseError('NOT_ADMITTED')
      const expiresAt = new Date(reply.deadline).toISOString()
      return reply.state === 'active'
        ? { status: 'active', expiresAt, activeToken: passOf(tokens, room, reply) }
        : { status: 'admitted', expiresAt }
    },
  )

  app.delete(
    `${path}/queue`,
    { config: holder, schema: { tags, summary: 'Leave', params: RoomPath } },
    async (request, reply) => {
      const { room, ticket } = await roomAndTicket(request)
      const left = await room.end({ ...actOf(ticket), as: 'cancelled', operation: randomUUID() })
      if (left.status === 'moved') throw new SeatwiseError('TICKET_MOVED')
      return reply.code(204).send()
    },
  )

  app.get(
    `${path}/queue/neighbors`,
    {
      config: holder,
      schema: {
        tags,
        summary: 'Those around you, by name where they agreed',
        params: RoomPath,
        querystring: NeighborsQuery,
        response: { 200: NeighborsAnswer },
      },
    },
    async (request, reply) => {
      const { room, ticket } = await roomAndTicket(request)
      const { view } = await room.look(ticket)
      requireCurrent(ticket, view)
      reply.header('cache-control', 'no-store')
      if (view.rank === null) return { items: [] }
      const { around } = request.query
      const items = await room.range(Math.max(0, view.rank - around), view.rank + around)
      return {
        items: items.map(({ rank, number, shown }) => ({
          position: rank + 1,
          name: shown?.name ?? null,
          avatar: shown?.avatar ?? null,
          you: number === ticket.number,
        })),
      }
    },
  )

  app.post(
    `${path}/queue/handover`,
    {
      config: holder,
      schema: {
        tags,
        summary: 'Take your place to another device',
        params: RoomPath,
        response: { 200: HandoverAnswer },
      },
    },
    async (request) => {
      const { room, ticket } = await roomAndTicket(request)
      const { view } = await room.look(ticket)
      requireCurrent(ticket, view)
      if (view.state === 'completed' || view.state === 'expired') throw new SeatwiseError('TICKET_ENDED')
      const expiresAt = view.now + HANDOVER_MS
      return { code: tokens.handovers.issue(ticket, expiresAt), expiresAt: new Date(expiresAt).toISOString() }
    },
  )

  app.post(
    `${path}/queue/handover/accept`,
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
      const room = await find(request.params.id)
      const code = tokens.handovers.read(request.body.code)
      if (code === null || code.ticket.room !== room.id) throw new SeatwiseError('BAD_CODE')
      if (code.expiresAt <= services.now()) throw new SeatwiseError('BAD_CODE', { message: 'This code has expired' })
      const moved = await room.move({ ...actOf(code.ticket), operation: operationOf(request) })
      if (moved.status === 'moved') throw new SeatwiseError('TICKET_MOVED')
      if (moved.status !== 'moved_here') throw new SeatwiseError('TICKET_ENDED')
      const profile = await profiles.of(room.id, moved.number)
      return tellJoined(request, reply, room, { view: moved, identity: code.ticket.identity, profile, guest: null })
    },
  )
}

function actOf({ number, identity, generation }: TicketAct | TicketClaims): TicketAct {
  return { number, identity, generation }
}

/** A client that repeats itself because it got no answer says so with its key; without one, each call is its own. */
function operationOf(request: FastifyRequest): string {
  const key = request.headers['idempotency-key']
  return typeof key === 'string' && key.length > 0 && key.length <= 100 ? key : randomUUID()
}

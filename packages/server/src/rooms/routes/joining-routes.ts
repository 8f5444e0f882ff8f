import { SeatwiseError } from '@seatwise/domain'
import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import { type App, comesFromOwnPages } from '../../http/index.ts'
import { keepSession } from '../../identity/index.ts'
import { acceptCode } from '../handover/accept-code.ts'
import { giveCode } from '../handover/give-code.ts'
import type { Room } from '../room.ts'
import { actorBeside, requireCurrent } from './holder.ts'
import { type JoinedLine, joinLine } from './join-line.ts'
import { keyOf, operationOf, type RoomRequest, roomAndTicket, type VisitorParts } from './room-address.ts'
import { AcceptBody, GroupAnswer, HandoverAnswer, JoinAnswer, JoinBody, RoomPath } from './schemas.ts'
import { ownNumber, tellFromMemory, tellVisitor } from './tell-visitor.ts'
import { keepTickets } from './ticket-cookie.ts'

const tags = ['room']

/** How a visitor gets a ticket token: by joining, or by taking over a place from another device. */
export function joiningRoutes(app: App, parts: VisitorParts): void {
  const { address } = parts

  app.post(
    `${address.path}/queue/join`,
    {
      config: {
        ...{ access: 'public-or-signed-in', sale: 'path' },
        refuseCrowd: (params) => address.openRoom((params as Static<typeof RoomPath>).id)?.refuseCrowd(),
      },
      schema: { tags, summary: 'Join the line', params: RoomPath, body: JoinBody, response: { 200: JoinAnswer } },
    },
    async (request, reply) => {
      const room = address.openRoom(request.params.id) ?? (await address.find(request.params.id))
      const userAgent = request.headers['user-agent'] ?? null
      const device = parts.roomTokens.devices.read(parts.config, request)
      const visitor = { actor: request.actor, address: request.ip, userAgent, device, key: keyOf(request) }
      const joined = await joinLine(parts, room, visitor, request.body ?? {})
      return await answerJoined(parts, { request, reply }, room, joined)
    },
  )
  groupRoute(app, parts)
  handoverRoute(app, parts)
  acceptRoute(app, parts)
}

function groupRoute(app: App, { address, roomTokens }: VisitorParts): void {
  app.post(
    `${address.path}/queue/groups`,
    {
      config: { access: 'ticket' },
      schema: {
        tags,
        summary: 'Invite others to stand together with you',
        description: 'Those who join with the code and you have one ticket, at the place of the one who came last.',
        params: RoomPath,
        response: { 200: GroupAnswer },
      },
    },
    async (request, reply) => {
      const { room, ticket } = await roomAndTicket(address, request)
      const { view } = await room.look(ticket)
      requireCurrent(ticket, view)
      if (view.state !== 'waiting') throw new SeatwiseError('GROUP_OVER')
      // A line that was loaded by a server of the version before has no such setting.
      const { groupMax: peopleMax = 1 } = room.settings
      if (peopleMax < 2) throw new SeatwiseError('GROUP_FULL', { message: 'This line has no groups' })
      reply.header('cache-control', 'no-store')
      return { code: roomTokens.groups.of(room.id, ticket.number), people: view.group?.people ?? 1, peopleMax }
    },
  )
}

function handoverRoute(app: App, parts: VisitorParts): void {
  const { address } = parts
  app.post(
    `${address.path}/queue/handover`,
    {
      config: { access: 'ticket' },
      schema: {
        tags,
        summary: 'Take your place to another device',
        description: 'The code is good for three minutes and once; a newer one of the same ticket replaces it.',
        params: RoomPath,
        response: { 200: HandoverAnswer },
      },
    },
    async (request, reply) => {
      const { room, ticket } = await roomAndTicket(address, request)
      const { code, expiresAt } = await giveCode(parts, room, ticket, actorBeside(parts, request))
      reply.header('cache-control', 'no-store')
      return { code, expiresAt: expiresAt.toISOString() }
    },
  )
}

function acceptRoute(app: App, parts: VisitorParts): void {
  const { address } = parts
  app.post(
    `${address.path}/queue/handover/accept`,
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Take over a place from another device',
        description: 'The answer has an access token of the same visitor that is good for this sale only.',
        params: RoomPath,
        body: AcceptBody,
        response: { 200: JoinAnswer },
      },
    },
    async (request, reply) => {
      const room = await address.find(request.params.id)
      const { code } = request.body
      const place = { code, operation: operationOf(request), address: request.ip }
      const { view, identity, token } = await acceptCode(parts, room, place)
      return await answerJoined(parts, { request, reply }, room, { view, identity, guest: token, drawn: null })
    },
  )
}

/** The only answers that carry a ticket token. */
async function answerJoined(
  parts: VisitorParts,
  call: { request: RoomRequest; reply: FastifyReply },
  room: Room,
  { view, identity, guest, drawn }: JoinedLine,
) {
  const { config, roomTokens } = parts
  const { request, reply } = call
  const ticketToken = roomTokens.tickets.issue({ ...view, number: ownNumber(view), identity, room: room.id })
  reply.header('cache-control', 'no-store')
  keepTickets(parts, call, [{ token: ticketToken, room: room.id }])
  if (drawn !== null) roomTokens.devices.keep(config, call, drawn)
  // Our own pages store a guest's access token where no script can read it.
  if (guest !== null && comesFromOwnPages(config, request)) keepSession(config, request, reply, guest)
  const found = { view, exact: true }
  const told = tellFromMemory(parts, room, found) ?? (await tellVisitor(parts, room, found))
  return { ...told, ticketToken, ...guest }
}

import { randomUUID } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import Type from 'typebox'
import type { App } from '../../http/index.ts'
import { answerTogether } from '../../kit/index.ts'
import { holderOf, requireCurrent, ticketOf } from './holder.ts'
import { actOf, operationOf, type RoomRequest, roomAndTicket, type VisitorParts } from './room-address.ts'
import { ClaimAnswer, CompleteAnswer, ExtendAnswer, RoomPath, StatusAnswer } from './schemas.ts'
import { activeFields, type Told, tellFromMemory, tellVisitor, turnFields } from './tell-visitor.ts'

const tags = ['room']
/** The ticket token is the proof; no account is needed. */
const holder = { access: 'ticket' } as const

/** The actions of a ticket holder: look, claim, finish, leave. */
export function holdingRoutes(app: App, parts: VisitorParts): void {
  const { address } = parts

  app.get(
    `${address.path}/queue/status`,
    { config: holder, schema: { tags, summary: 'Where you stand', params: RoomPath, response: { 200: StatusAnswer } } },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      const far = tellFar(parts, request)
      if (far === null) return tellFromStore(parts, request)
      answerTogether(reply, () => reply.send(far))
      return undefined
    },
  )
  claimRoute(app, parts)
  completeRoute(app, parts)
  extendRoute(app, parts)
  leaveRoute(app, parts)
}

/** The answer to most polls, from memory and without waiting. Null when the picture does not have it. */
function tellFar(parts: VisitorParts, request: RoomRequest): Told | null {
  const room = parts.address.openRoom(request.params.id)
  if (room === undefined) return null
  const view = room.lookFar(ticketOf(request, room))
  return view === null ? null : tellFromMemory(parts, room, { view, exact: false })
}

async function tellFromStore(parts: VisitorParts, request: RoomRequest): Promise<Told> {
  const { room, ticket } = await roomAndTicket(parts.address, request)
  const found = await room.look(ticket)
  requireCurrent(ticket, found.view)
  return await tellVisitor(parts, room, found)
}

function claimRoute(app: App, { address, roomTokens }: VisitorParts): void {
  app.post(
    `${address.path}/queue/claim`,
    { config: holder, schema: { tags, summary: 'Take your turn', params: RoomPath, response: { 200: ClaimAnswer } } },
    async (request, reply) => {
      const { room, ticket } = await roomAndTicket(address, request)
      const entered = await room.enter(ticket)
      if (entered.status === 'moved') throw new SeatwiseError('TICKET_MOVED')
      if (entered.status !== 'active') throw new SeatwiseError('NOT_ADMITTED')
      reply.header('cache-control', 'no-store')
      return activeFields(roomTokens, room, entered)
    },
  )
}

function completeRoute(app: App, { address }: VisitorParts): void {
  app.post(
    `${address.path}/queue/complete`,
    {
      config: { access: 'ticket-or-pass' },
      schema: { tags, summary: 'Finish, and free the slot', params: RoomPath, response: { 200: CompleteAnswer } },
    },
    async (request) => {
      const room = await address.find(request.params.id)
      // A client that lost the answer retries with a pass that is no longer valid.
      const { pass } = request
      if (pass?.room === room.id && (await room.hasCompleted(pass.number, pass.fence))) {
        return { status: 'completed' as const }
      }
      const holding = await holderOf(request, room)
      const ended = await room.end({ ...actOf(holding), as: 'completed', operation: randomUUID() })
      if (ended.status === 'moved') throw new SeatwiseError('TICKET_MOVED')
      if (ended.status === 'not_on_floor') throw new SeatwiseError('NOT_ADMITTED')
      if (!('state' in ended) || ended.state !== 'completed') throw new SeatwiseError('TICKET_ENDED')
      return { status: 'completed' as const }
    },
  )
}

function extendRoute(app: App, { address, roomTokens }: VisitorParts): void {
  app.post(
    `${address.path}/queue/extend`,
    { config: holder, schema: { tags, summary: 'More time, once', params: RoomPath, response: { 200: ExtendAnswer } } },
    async (request, reply) => {
      const { room, ticket } = await roomAndTicket(address, request)
      const byMs = room.settings.sessionSeconds * 1000
      const extended = await room.extend({ ...actOf(ticket), byMs, operation: operationOf(request) })
      if (extended.status === 'moved') throw new SeatwiseError('TICKET_MOVED')
      if (extended.status === 'already_extended') throw new SeatwiseError('ALREADY_EXTENDED')
      if (extended.status !== 'extended' || extended.deadline === null) throw new SeatwiseError('NOT_ADMITTED')
      reply.header('cache-control', 'no-store')
      return extended.state === 'active'
        ? activeFields(roomTokens, room, extended)
        : turnFields('admitted', extended.deadline)
    },
  )
}

function leaveRoute(app: App, { address }: VisitorParts): void {
  app.delete(
    `${address.path}/queue`,
    { config: holder, schema: { tags, summary: 'Leave', params: RoomPath, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const { room, ticket } = await roomAndTicket(address, request)
      const left = await room.end({ ...actOf(ticket), as: 'cancelled', operation: randomUUID() })
      if (left.status === 'moved') throw new SeatwiseError('TICKET_MOVED')
      return reply.code(204).send(null)
    },
  )
}

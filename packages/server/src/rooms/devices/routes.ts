import { SeatwiseError } from '@seatwise/domain'
import { joining } from '@seatwise/ledger'
import Type from 'typebox'
import { type App, actorOf } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import type { RoomServices } from '../room-services.ts'
import type { RoomAddress } from '../routes/room-address.ts'
import { RoomPath } from '../routes/schemas.ts'
import { ticketId } from '../tokens/ticket-token.ts'
import { appealFromDevice } from './appeal.ts'

const tags = ['operate a room']
const strict = { additionalProperties: false }
const Time = Type.String({ format: 'date-time' })
const TimeOrNull = Type.Union([Time, Type.Null()])
const VerdictPath = Type.Object({ id: Type.String(), verdict: Type.String() })
const LimitQuery = Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }) }, strict)
const EXAMPLE = {
  ...{ id: 'd2b7c8de-7f3f-4c4e-9d47-0c6a2f6a1a55', reason: 'duplicate_device', ticketId: 'tkt_0000002a5f8a3c1e' },
  ...{ refusals: 2, firstAt: '2026-11-15T10:00:00.000Z', lastAt: '2026-11-15T10:00:40.000Z' },
  ...{ appealedAt: '2026-11-15T10:00:40.000Z', standsAt: null },
}
const Verdict = Type.Object(
  {
    id: Type.String({ description: 'As the visitor was told' }),
    reason: Type.Literal('duplicate_device'),
    ticketId: Type.String({ description: 'The ticket that a guest drew on this device before' }),
    refusals: Type.Integer({ description: 'How often the device was refused' }),
    firstAt: Time,
    lastAt: Time,
    appealedAt: TimeOrNull,
    standsAt: TimeOrNull,
  },
  { examples: [EXAMPLE] },
)
const VerdictList = Type.Object({ items: Type.Array(Verdict) })

/** Devices that were refused another ticket: the operator's list, the visitor's question, and the operator's answer. */
export function deviceRoutes(app: App, services: RoomServices, address: RoomAddress): void {
  const name = address.on === 'event' ? 'Event' : 'Room'
  listRoute(app, services, address, name)
  standRoute(app, services, address, name)
  appealRoute(app, services, address, name)
}

function listRoute(app: App, { ledger }: RoomServices, { path, on, findAny }: RoomAddress, name: string): void {
  app.get(
    `${path}/queue/verdicts`,
    {
      config: { access: { act: 'list', on } },
      schema: {
        ...{ tags, operationId: `list${name}Verdicts` },
        summary: 'Devices that were refused another ticket',
        description: 'Those whose visitors asked for another ticket come first, then the latest.',
        ...{ params: RoomPath, querystring: LimitQuery, response: { 200: VerdictList } },
      },
    },
    async (request, reply) => {
      const room = await findAny(request.params.id)
      const verdicts = await joining.listVerdicts(ledger.db, room.id, request.query.limit)
      reply.header('cache-control', 'no-store')
      return { items: verdicts.map((verdict) => describe(room.id, verdict)) }
    },
  )
}

function standRoute(app: App, { ledger }: RoomServices, { path, on, findAny }: RoomAddress, name: string): void {
  app.post(
    `${path}/queue/verdicts/:verdict/stand`,
    {
      config: { access: { act: 'room', on } },
      schema: {
        ...{ tags, operationId: `let${name}TicketStand` },
        summary: 'Let this ticket stand',
        description:
          'The device may draw one more ticket from now on: its page does so by itself. Asking again changes nothing.',
        ...{ params: VerdictPath, response: { 200: Verdict } },
      },
    },
    async (request) => {
      const { id: named, verdict: id } = request.params
      const room = await findAny(named)
      const by = actorOf(request).id
      const facts = { roomId: room.id, eventId: room.row.eventId, id, by }
      const verdict = isUuid(id) ? await joining.letStand(ledger.db, facts) : null
      if (verdict === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such verdict in this room' })
      return describe(room.id, verdict)
    },
  )
}

function appealRoute(app: App, services: RoomServices, { path, find }: RoomAddress, name: string): void {
  app.post(
    `${path}/queue/verdicts/:verdict/appeal`,
    {
      config: { access: 'public' },
      schema: {
        tags: ['room'],
        operationId: `appeal${name}Verdict`,
        summary: 'Ask the operator for another ticket',
        description:
          'From the device that was refused, which its cookie proves. The operator sees it in the list of verdicts.',
        params: VerdictPath,
        response: { 202: Type.Object({ status: Type.Literal('asked') }) },
      },
    },
    async (request, reply) => {
      await appealFromDevice(services, request, await find(request.params.id), request.params.verdict)
      return reply.code(202).send({ status: 'asked' })
    },
  )
}

function describe(
  roomId: string,
  { ticketNumber, firstAt, lastAt, appealedAt, standsAt, ...verdict }: joining.JoinVerdict,
) {
  return {
    ...{ id: verdict.id, reason: 'duplicate_device' as const, ticketId: ticketId(roomId, ticketNumber) },
    ...{ refusals: verdict.refusals, firstAt: firstAt.toISOString(), lastAt: lastAt.toISOString() },
    appealedAt: appealedAt?.toISOString() ?? null,
    standsAt: standsAt?.toISOString() ?? null,
  }
}

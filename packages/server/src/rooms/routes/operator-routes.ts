import { randomUUID } from 'node:crypto'
import { SeatwiseError, type TicketClass } from '@seatwise/domain'
import { readRoomStats, recordAction } from '@seatwise/ledger'
import Type from 'typebox'
import { type App, actorOf } from '../../http/index.ts'
import type { Room } from '../room.ts'
import type { RoomServices } from '../room-services.ts'
import { hashOfCode, issuePriorityCode } from '../tokens/priority-code.ts'
import { ticketId, ticketNumber } from '../tokens/ticket-token.ts'
import { requireMessage } from '../without-event/create-room.ts'
import type { RoomAddress } from './room-address.ts'
import { PriorityCodesAnswer, PriorityCodesBody, RoomPath, TerminateBody } from './schemas.ts'
import { RoomChangeBody } from './settings-schema.ts'

const tags = ['operate a room']

/** Of one entry of the log, so that no entry is large. */
const HASHES_MAX = 100

const Terminated = Type.Object({ ticketId: Type.String(), status: Type.String(), reason: Type.Optional(Type.String()) })

/** The operator's actions on a room: watch it, change its pace, stop it, end a ticket, issue priority codes. */
export function operatorRoutes(app: App, services: RoomServices, address: RoomAddress): void {
  changeRoute(app, address)
  terminateRoute(app, services, address)
  priorityCodesRoute(app, services, address)
  statsRoute(app, services, address)
}

function changeRoute(app: App, address: RoomAddress): void {
  app.patch(
    `${address.path}/room`,
    {
      config: { access: { act: 'room', on: address.on } },
      schema: {
        tags,
        summary: 'Change a room; effective at the next admission',
        params: RoomPath,
        body: RoomChangeBody,
      },
    },
    async (request) => {
      const actor = actorOf(request)
      const room = await address.find(request.params.id)
      const { paused, message, ...settings } = request.body
      await room.change({
        by: actor.id,
        settings,
        ...(paused === undefined ? {} : { paused }),
        ...(message === undefined ? {} : { message: requireMessage(message) }),
      })
      const { row } = room
      return { id: room.id, ...row.settings, paused: row.paused, message: row.message }
    },
  )
}

function terminateRoute(app: App, { ledger }: RoomServices, address: RoomAddress): void {
  app.post(
    `${address.path}/queue/terminate`,
    {
      config: { access: { act: 'room', on: address.on } },
      schema: { tags, summary: 'End a ticket', params: RoomPath, body: TerminateBody, response: { 200: Terminated } },
    },
    async (request) => {
      const room = await address.find(request.params.id)
      const number = ticketNumber(room.id, request.body.ticketId)
      if (number === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such ticket in this room' })
      await recordAction(ledger.db, {
        ...{ actorId: actorOf(request).id, kind: 'ticket.terminated', subject: request.body.ticketId },
        ...{ eventId: room.row.eventId, roomId: room.id },
      })
      const ended = await room.end({
        number,
        identity: '',
        generation: 0,
        as: 'terminated',
        operation: `terminate by ${actorOf(request).id} ${randomUUID()}`,
      })
      if (!('state' in ended) || ended.state === null) {
        throw new SeatwiseError('NOT_FOUND', { message: 'There is no such live ticket in this room' })
      }
      const reason = ended.reason === null ? {} : { reason: ended.reason }
      return { ticketId: ticketId(room.id, number), status: ended.state, ...reason }
    },
  )
}

function priorityCodesRoute(app: App, services: RoomServices, address: RoomAddress): void {
  app.post(
    `${address.path}/priority-codes`,
    {
      config: { access: { act: 'codes', on: address.on } },
      schema: {
        tags,
        summary: 'Make priority codes, each good for one ticket',
        params: RoomPath,
        body: PriorityCodesBody,
        response: { 201: PriorityCodesAnswer },
      },
    },
    async (request, reply) => {
      const room = await address.find(request.params.id)
      const expiresAt = Date.parse(request.body.expiresAt)
      if (!(expiresAt > services.now())) {
        throw new SeatwiseError('BAD_REQUEST', { message: 'body/expiresAt must be in the future' })
      }
      const { class: wanted, count } = request.body
      await recordAction(services.ledger.db, {
        ...{ actorId: actorOf(request).id, kind: 'codes.made', eventId: room.row.eventId, roomId: room.id },
        after: { class: wanted, count, expiresAt: request.body.expiresAt },
      })
      // The schema allows 1 to 3.
      const code = { room: room.id, class: request.body.class, expiresAt }
      const codes = Array.from({ length: request.body.count }, () => issuePriorityCode(services.identity.keys, code))
      await announceCodes(room, { class: request.body.class, codes, by: actorOf(request).id })
      return reply.code(201).header('cache-control', 'no-store').send({ codes })
    },
  )
}

/** A code is given out once the log says that it was made: a verifier accepts no other. Rule J64. */
async function announceCodes(
  room: Room,
  { class: ticketClass, codes, by }: { class: TicketClass; codes: readonly string[]; by: string },
): Promise<void> {
  for (let from = 0; from < codes.length; from += HASHES_MAX) {
    const hashes = codes.slice(from, from + HASHES_MAX).map(hashOfCode)
    await room.announce({ kind: 'codes', class: ticketClass, hashes }, by)
  }
}

function statsRoute(app: App, services: RoomServices, address: RoomAddress): void {
  app.get(
    `${address.path}/queue/stats`,
    {
      config: { access: { act: 'statistics', on: address.on } },
      schema: { tags, summary: 'How the room is doing', params: RoomPath },
    },
    async (request, reply) => {
      const room = await address.find(request.params.id)
      const [counts, { document, now }] = await Promise.all([
        readRoomStats(services.ledger.replica, room.id),
        room.now(),
      ])
      reply.header('cache-control', 'no-store')
      const { avgServiceMs, admissionsPerSecond } = room.pace
      return {
        ...{ roomId: room.id, ...counts, waiting: document.waiting, away: now.away },
        ...{ admissionsPerSecond, phase: document.phase },
        // The recent measurement; a server that just started has only the average of the whole sale.
        avgServiceMs: avgServiceMs ?? counts.avgServiceMs,
      }
    },
  )
}

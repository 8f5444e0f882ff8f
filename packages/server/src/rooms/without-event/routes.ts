import { SeatwiseError } from '@seatwise/domain'
import { listRooms } from '@seatwise/ledger'
import { type App, actorOf, organizationsFor } from '../../http/index.ts'
import { isUuid, makeDocument, sendDocument, tellStale } from '../../kit/index.ts'
import type { RoomServices } from '../room-services.ts'
import { changeOwnRoom } from './change-room.ts'
import { createOwnRoom } from './create-room.ts'
import { createRoomReads, type RoomReads } from './room-reads.ts'
import { describeRoom, NewRoomBody, RoomAnswer, RoomEditBody, RoomId, RoomPageAnswer, RoomsQuery } from './schemas.ts'

const tags = ['rooms']
const ofSome = { access: { act: 'room', on: 'some' } } as const

/** Rooms without an event: they protect any site that verifies passes. */
export function roomsRoutes(app: App, services: RoomServices): void {
  const reads = createRoomReads(services)
  app.post(
    '/api/rooms',
    {
      config: ofSome,
      schema: {
        tags,
        summary: 'Make a waiting room for a site',
        description: 'Where its visitors wait, join and claim: `/api/rooms/:id/queue/…`, the same as for an event.',
        body: NewRoomBody,
        response: { 201: RoomAnswer },
      },
    },
    async (request, reply) => {
      const { organizationId, name, target, paused = false, message = null, ...rest } = request.body
      const { opensAt = null, closesAt = null, ...settings } = rest
      const wanted = { organizationId, name, target, paused, message, opensAt, closesAt, settings }
      const room = await createOwnRoom(services, wanted, actorOf(request))
      reads.forget(room.id)
      reply.code(201).header('location', `/api/rooms/${room.id}`)
      return describeRoom(room)
    },
  )
  readingRoutes(app, services, reads)

  app.patch(
    '/api/rooms/:id',
    {
      config: { access: { act: 'room', on: 'room' } },
      schema: {
        tags,
        summary: 'Change a room; its pace changes at the next admission',
        params: RoomId,
        body: RoomEditBody,
        response: { 200: RoomAnswer },
      },
    },
    async (request) => {
      const { name, target, opensAt, closesAt, paused, message, ...settings } = request.body
      const facts = {
        ...(name === undefined ? {} : { name }),
        ...(target === undefined ? {} : { target }),
        ...(opensAt === undefined ? {} : { opensAt }),
        ...(closesAt === undefined ? {} : { closesAt }),
      }
      const change = {
        settings: settings,
        ...(paused === undefined ? {} : { paused }),
        ...(message === undefined ? {} : { message }),
      }
      const room = await changeOwnRoom(services, request.params.id, { facts, change }, actorOf(request))
      reads.forget(room.id)
      return describeRoom(room)
    },
  )
}

function readingRoutes(app: App, { ledger }: RoomServices, reads: RoomReads): void {
  app.get(
    '/api/rooms',
    {
      config: ofSome,
      schema: {
        tags,
        summary: 'The rooms without an event of your organizations, newest first; an admin sees all',
        querystring: RoomsQuery,
        response: { 200: RoomPageAnswer },
      },
    },
    async (request, reply) => {
      const organizationIds = organizationsFor(actorOf(request), 'room')
      const { cursor: after = null, limit } = request.query
      const { items, nextCursor } = await listRooms(ledger.db, { organizationIds, after, limit })
      reply.header('cache-control', 'no-store')
      return { items: items.map(describeRoom), nextCursor }
    },
  )
  app.get(
    '/api/rooms/:id',
    { config: { access: 'public' }, schema: { tags, summary: 'A room', params: RoomId } },
    async (request, reply) => {
      const { id } = request.params
      const room = isUuid(id) ? await reads.readCopy(id.toLowerCase()) : null
      if (room === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such room' })
      tellStale(reply, room.staleSeconds)
      return sendDocument(request, reply, makeDocument(JSON.stringify(describeRoom(room.value))))
    },
  )
}

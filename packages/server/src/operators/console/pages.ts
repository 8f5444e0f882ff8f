import { type SaleEvent, SeatwiseError } from '@seatwise/domain'
import { listOrganizations, listRooms, listSales, type RoomRow, readEvent } from '@seatwise/ledger'
import {
  consoleCheckInPage,
  consoleEditPage,
  consoleListPage,
  consoleOrganizationsPage,
  consoleSalePage,
} from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { type BoxOfficeServices, readEventId, readWords } from '../../box-office/index.ts'
import { type App, actorOf, mayDo, organizationsFor } from '../../http/index.ts'
import { createOwnRoom, NewRoomBody, type Room } from '../../rooms/index.ts'
import { formOf, type PageKit, queryOf } from '../../site/index.ts'
import { withLine } from './sales-list-routes.ts'

const hidden = { hide: true } as const
const { name, target } = NewRoomBody.properties
const NewRoomForm = formOf({ name, target })
const makingRoom = {
  config: { access: { act: 'room', on: 'some' } },
  schema: { ...hidden, body: NewRoomForm },
} as const
type NewRoomRequest = FastifyRequest<{ Body: Static<typeof NewRoomForm> }>
const LISTED = 50
const watching = (on: 'event' | 'room' | 'some') => ({ act: 'statistics', on }) as const
type WithId = FastifyRequest<{ Params: { id: string } }>

/**
 * The operator's pages. A user who may not operate anything is told so; a visitor who is not signed in signs in first.
 */
export function consolePages(app: App, services: BoxOfficeServices, kit: PageKit): void {
  listPages(app, services, kit)
  const { rooms } = services
  const findEvent = (request: WithId): Promise<Room> => rooms.ofEvent(readEventId(request.params.id))
  const showSale = (request: FastifyRequest, reply: FastifyReply, kind: 'event' | 'room', row: CurrentRow) => {
    const id = kind === 'event' ? (row.eventId ?? row.id) : row.id
    const { name, opensAt, timeZone } = row
    const mayEdit = kind === 'event' && mayDo(actorOf(request), 'event', row.organizationId)
    const sale = { kind, id, name, opensAt, timeZone, mayChange: mayChange(request, row), state: row.state, mayEdit }
    return kit.send(request, reply, consoleSalePage(kit.languageOf(request), sale))
  }
  app.get(
    '/console/events/:id',
    { config: { access: watching('event') }, schema: hidden },
    async (request: WithId, reply) => {
      return showSale(request, reply, 'event', await currentRow(services, await findEvent(request)))
    },
  )
  app.get(
    '/console/rooms/:id',
    { config: { access: watching('room') }, schema: hidden },
    async (request: WithId, reply) => {
      const room = await rooms.byId(request.params.id)
      if (room.row.eventId !== null) return reply.redirect(`/console/events/${room.row.eventId}`, 303)
      return showSale(request, reply, 'room', { ...room.row, timeZone: null, state: null })
    },
  )
  app.get(
    '/console/events/:id/check-in',
    { config: { access: { act: 'check_in', on: 'event' } }, schema: hidden },
    async (request: WithId, reply) => {
      const row = await currentRow(services, await findEvent(request))
      const { name, timeZone } = row
      const sale = { id: row.eventId ?? row.id, name, timeZone, mayChange: mayChange(request, row) }
      // The only page that may ask for the camera.
      reply.header('permissions-policy', 'camera=(self), geolocation=(), microphone=(), payment=()')
      return kit.send(request, reply, consoleCheckInPage(kit.languageOf(request), sale))
    },
  )
  app.get('/console/new', { config: { access: { act: 'event', on: 'some' } }, schema: hidden }, (request, reply) =>
    kit.send(request, reply, consoleEditPage(kit.languageOf(request), null)),
  )
  app.get(
    '/console/events/:id/edit',
    { config: { access: { act: 'event', on: 'event' } }, schema: hidden },
    async (request: WithId, reply) => {
      const { row } = await findEvent(request)
      const event = row.eventId === null ? null : await readEvent(services.ledger.db, row.eventId)
      if (event === null) throw new SeatwiseError('NOT_FOUND')
      return kit.send(request, reply, consoleEditPage(kit.languageOf(request), event))
    },
  )
}

function listPages(app: App, services: BoxOfficeServices, kit: PageKit): void {
  const { ledger, rooms } = services
  app.get('/console', { config: { access: watching('some') }, schema: hidden }, async (request, reply) => {
    const actor = actorOf(request)
    const find = readWords((queryOf(request, 'q') ?? '').slice(0, 100))
    const offset = Math.min(Math.max(0, Number.parseInt(queryOf(request, 'offset') ?? '0', 10) || 0), 100_000)
    const organizationIds = organizationsFor(actor, 'statistics')
    const operated = organizationsFor(actor, 'room')
    const mayMake = operated?.length !== 0
    const [found, { items: roomFacts }] = await Promise.all([
      listSales(ledger.db, { organizationIds, words: find, limit: LISTED + 1, offset }),
      mayMake ? listRooms(ledger.db, { organizationIds: operated, after: null, limit: 100 }) : { items: [] },
    ])
    const openRooms = new Map([...rooms.openRooms()].map((room) => [room.id, room]))
    const sales = await Promise.all(found.slice(0, LISTED).map((sale) => withLine(sale, openRooms.get(sale.roomId))))
    const nextOffset = found.length > LISTED ? offset + LISTED : null
    const list = {
      sales,
      rooms: roomFacts,
      find,
      nextOffset,
      mayChange: mayMake,
      maySettle: actor.role === 'admin',
    }
    return kit.send(request, reply, consoleListPage(kit.languageOf(request), list))
  })
  app.get('/console/organizations', { config: { access: ['admin'] }, schema: hidden }, async (request, reply) => {
    const organizations = await listOrganizations(ledger.db, null)
    return kit.send(request, reply, consoleOrganizationsPage(kit.languageOf(request), organizations))
  })
  app.post('/console/rooms', makingRoom, async (request: NewRoomRequest, reply) => {
    const { name, target } = request.body
    const wishes = { name, target, paused: false, message: null, opensAt: null, closesAt: null, settings: {} }
    const room = await createOwnRoom(services, wishes, actorOf(request))
    return reply.redirect(`/console/rooms/${room.id}/site`, 303)
  })
}

type CurrentRow = RoomRow & { timeZone: string | null; state: SaleEvent['state'] | null }

/** The room keeps the event as it was when the room was opened here; operators search by its current values. */
async function currentRow({ ledger }: BoxOfficeServices, { row }: Room): Promise<CurrentRow> {
  if (row.eventId === null) return { ...row, timeZone: null, state: null }
  const event = await ledger.db
    .selectFrom('events')
    .select(['name', 'time_zone as timeZone', 'sales_start_at as opensAt', 'state'])
    .where('id', '=', row.eventId)
    .executeTakeFirst()
  return { ...row, timeZone: null, state: null, ...event }
}

const mayChange = (request: FastifyRequest, { organizationId }: Pick<RoomRow, 'organizationId'>): boolean =>
  mayDo(actorOf(request), 'room', organizationId)

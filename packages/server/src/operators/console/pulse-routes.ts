import { ROOM_LIMITS } from '@seatwise/domain'
import { readRoom, readTrail } from '@seatwise/ledger'
import Type from 'typebox'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import type { App } from '../../http/index.ts'
import type { Room } from '../../rooms/index.ts'
import { soldPerMinute } from '../charts/draw-charts.ts'
import type { Charts } from '../charts/open-charts.ts'
import { type SaleAddress, saleAddresses } from './sale-address.ts'

const tags = ['operate a room']
const Path = Type.Object({ id: Type.String() })
const PreviewBody = Type.Object(
  {
    ratePerMinute: Type.Optional(
      Type.Integer({ minimum: ROOM_LIMITS.ratePerMinute.min, maximum: ROOM_LIMITS.ratePerMinute.max }),
    ),
    capacity: Type.Optional(Type.Integer({ minimum: ROOM_LIMITS.capacity.min, maximum: ROOM_LIMITS.capacity.max })),
    paused: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

/**
 * One answer for one glance: is the line moving, how fast, is the shop healthy, how long will it last, what changed
 * last.
 */
export function pulseRoutes(app: App, services: BoxOfficeServices, charts: Charts): void {
  for (const address of saleAddresses(services)) {
    app.get(
      `${address.path}/pulse`,
      {
        config: { access: { act: 'statistics', on: address.on } },
        schema: { tags, summary: 'How a sale is doing now, in one answer', params: Path },
      },
      async (request, reply) => {
        const room = await address.find(request.params.id)
        reply.header('cache-control', 'no-store')
        return await takePulse(services, charts, room)
      },
    )
    previewRoute(app, address)
  }
}

function previewRoute(app: App, address: SaleAddress): void {
  app.post(
    `${address.path}/room/preview`,
    {
      config: { access: { act: 'room', on: address.on } },
      schema: {
        tags,
        summary: 'What a change of pace would mean for the last visitor in line; changes nothing',
        params: Path,
        body: PreviewBody,
      },
    },
    async (request, reply) => {
      const room = await address.find(request.params.id)
      // So that the document is at most a second old.
      await room.now()
      reply.header('cache-control', 'no-store')
      return room.preview(request.body)
    },
  )
}

async function takePulse({ ledger, now }: BoxOfficeServices, charts: Charts, room: Room) {
  const { eventId } = room.row
  const [{ document }, row, [lastAction], sale, seats] = await Promise.all([
    room.now(),
    readRoom(ledger.db, { roomId: room.id }),
    readTrail(ledger.db, { eventId, roomId: room.id }, { before: null, limit: 1 }),
    charts.read(room.id, eventId),
    readSeatCounts(ledger, eventId),
  ])
  const { settings, paused, message, name } = row ?? room.row
  const perMinute = soldPerMinute(sale.seatFlows, now())
  const left = seats === null ? null : seats.available + seats.held
  return {
    ...{ roomId: room.id, eventId, name, at: document.at, phase: document.phase, paused, message },
    // The line admits no visitor although the operator did not pause it: a store is down or behind.
    isHeld: document.phase === 'paused' && !paused,
    ...{ waiting: document.waiting, active: document.active, settings },
    ...{ admissionsPerMinute: room.pace.admissionsPerSecond * 60, avgServiceMs: room.pace.avgServiceMs },
    lastVisitor: room.preview({}).before,
    ...{ seats, soldPerMinute: perMinute },
    soldOutInSeconds: left === null || perMinute === 0 ? null : Math.round((left / perMinute) * 60),
    lastAction: lastAction ?? null,
  }
}

async function readSeatCounts({ db }: BoxOfficeServices['ledger'], eventId: string | null) {
  if (eventId === null) return null
  const columns = ['available', 'held', 'sold', 'blocked'] as const
  const row = await db.selectFrom('seat_maps').select(columns).where('event_id', '=', eventId).executeTakeFirst()
  return row ?? null
}

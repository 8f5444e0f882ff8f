import { joining } from '@seatwise/ledger'
import Type from 'typebox'
import type { App } from '../../http/index.ts'
import type { RoomServices } from '../room-services.ts'
import type { RoomAddress } from '../routes/room-address.ts'
import { RoomPath } from '../routes/schemas.ts'
import { REFUSAL_REASONS } from './count-refusals.ts'

const Time = Type.String({ format: 'date-time' })
const Refusals = Type.Object(
  {
    total: Type.Integer(),
    items: Type.Array(
      Type.Object({
        reason: Type.String({ description: [...new Set(Object.values(REFUSAL_REASONS))].join(', ') }),
        count: Type.Integer(),
        firstAt: Time,
        lastAt: Time,
      }),
    ),
  },
  {
    examples: [
      {
        total: 12,
        items: [
          {
            ...{ reason: 'crowded_address', count: 12 },
            ...{ firstAt: '2026-11-15T10:00:00.000Z', lastAt: '2026-11-15T10:04:00.000Z' },
          },
        ],
      },
    ],
  },
)

/** How many joins of a room were refused, and why: public, like the log. */
export function refusalRoutes(app: App, { ledger }: RoomServices, { path, on, find }: RoomAddress): void {
  app.get(
    `${path}/queue/refusals`,
    {
      config: { access: 'public' },
      schema: {
        tags: ['transparency log'],
        operationId: on === 'event' ? 'readEventRefusals' : 'readRoomRefusals',
        summary: 'How many joins were refused, and why',
        description:
          'By reason, the most frequent first. `proof_asked` counts joins that were answered with a challenge, which most ' +
          'visitors then solve. What says something about the sale and nothing about the visitor is not counted.',
        params: RoomPath,
        response: { 200: Refusals },
      },
    },
    async (request, reply) => {
      const room = await find(request.params.id)
      const items = await joining.readRefusals(ledger.replica, room.id)
      reply.header('cache-control', 'public, max-age=1')
      return {
        total: items.reduce((sum, { count }) => sum + count, 0),
        items: items.map(({ firstAt, lastAt, ...item }) => ({
          ...item,
          firstAt: firstAt.toISOString(),
          lastAt: lastAt.toISOString(),
        })),
      }
    },
  )
}

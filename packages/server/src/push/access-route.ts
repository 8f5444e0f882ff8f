import { SeatwiseError } from '@seatwise/domain'
import Type from 'typebox'
import type { BoxOfficeServices } from '../box-office/index.ts'
import type { App } from '../http/index.ts'
import { RoomPath, requireCurrent, ticketOf } from '../rooms/index.ts'
import type { Realtime } from './realtime.ts'
import { shownAs } from './shown-as.ts'

const Access = Type.Object({
  provider: Type.Enum(['builtin', 'ably'] as const),
  channels: Type.Array(Type.String()),
  url: Type.Optional(Type.String({ description: 'Of the built-in hub' })),
  tokenRequest: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'For the client of Ably' })),
  clientOptions: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'For the client of Ably: where Ably is' }),
  ),
  shown: Type.Optional(
    Type.Union([Type.Object({ name: Type.String(), avatar: Type.Union([Type.String(), Type.Null()]) }), Type.Null()], {
      description: 'With `presence`: as whom the token allows to enter the presence of the public channel',
    }),
  ),
})
const AccessQuery = Type.Object(
  { presence: Type.Optional(Type.Boolean({ description: 'You show names, and are shown if you agreed' })) },
  { additionalProperties: false },
)

/** `GET …/queue/realtime-token`: the address and the credentials with which the holder of a ticket can listen. */
export function realtimeAccessRoutes(app: App, { rooms, ledger }: BoxOfficeServices, realtime: Realtime): void {
  const addresses = [
    { kind: 'event', path: '/api/events/:id', find: (id: string) => rooms.ofEvent(id) },
    { kind: 'room', path: '/api/rooms/:id', find: (id: string) => rooms.byId(id) },
  ]
  for (const { kind, path, find } of addresses) {
    app.get(
      `${path}/queue/realtime-token`,
      {
        config: { access: 'ticket' },
        schema: {
          ...{ tags: ['push'], summary: 'How to listen', params: RoomPath },
          ...{ querystring: AccessQuery, response: { 200: Access } },
        },
      },
      async (request, reply) => {
        const room = await find(request.params.id)
        const ticket = ticketOf(request, room)
        const { view } = await room.look(ticket)
        requireCurrent(ticket, view)
        if (view.state === 'completed' || view.state === 'expired') throw new SeatwiseError('TICKET_ENDED')
        reply.header('cache-control', 'no-store')
        const isShown = request.query.presence === true && room.settings.presence
        const shown = isShown ? await shownAs(ledger, room, view) : null
        const { channels, ...access } = await realtime.accessFor(room, `${kind}:${request.params.id}`, ticket, shown)
        return { ...access, channels: [...channels] }
      },
    )
  }
}

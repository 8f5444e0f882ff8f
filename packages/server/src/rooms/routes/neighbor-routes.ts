import { SeatwiseError } from '@seatwise/domain'
import { readShown, showTicket } from '@seatwise/ledger'
import Type from 'typebox'
import type { App } from '../../http/index.ts'
import { requireName } from '../../identity/index.ts'
import { requireCurrent } from './holder.ts'
import { roomAndTicket, type VisitorParts } from './room-address.ts'
import { NeighborsAnswer, NeighborsQuery, RoomPath } from './schemas.ts'

const tags = ['room']
const ShownBody = Type.Object(
  { showMe: Type.Boolean(), name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) },
  { additionalProperties: false },
)
const ShownAnswer = Type.Object({ name: Type.Union([Type.String(), Type.Null()]) })

/** The neighbours of a visitor in the line, and whether the visitor is shown to them. */
export function neighborRoutes(app: App, { address, ledger }: VisitorParts): void {
  app.get(
    `${address.path}/queue/neighbors`,
    {
      config: { access: 'ticket' },
      schema: {
        tags,
        summary: 'Those around you, by name where they agreed',
        params: RoomPath,
        querystring: NeighborsQuery,
        response: { 200: NeighborsAnswer },
      },
    },
    async (request, reply) => {
      const { room, ticket } = await roomAndTicket(address, request)
      const { view } = await room.look(ticket)
      requireCurrent(ticket, view)
      reply.header('cache-control', 'no-store')
      // Before the line opens there are no positions.
      if (view.rank === null || room.document.phase === 'pre') return { items: [] }
      const { around } = request.query
      const items = await room.range(Math.max(0, view.rank - around), view.rank + around)
      const numbers = items.map(({ number }) => number)
      // The ledger knows which visitors withdrew their names: if it cannot be read, no name is shown.
      const chosen = await readShown(ledger.db, room.id, numbers).catch(() => null)
      return {
        items: items.map(({ rank, number, shown }) => {
          const told = chosen === null ? null : chosen.has(number) ? chosen.get(number) : shown
          const you = number === ticket.number
          return { position: rank + 1, name: told?.name ?? null, avatar: told?.avatar ?? null, you }
        }),
      }
    },
  )
  app.post(
    `${address.path}/queue/shown`,
    {
      config: { access: 'ticket' },
      schema: {
        tags,
        summary: 'Show yourself to those around you, or no longer',
        params: RoomPath,
        body: ShownBody,
        response: { 200: ShownAnswer },
      },
    },
    async (request, reply) => {
      const { room, ticket } = await roomAndTicket(address, request)
      requireCurrent(ticket, (await room.look(ticket)).view)
      const { showMe, name } = request.body
      const wish = {
        roomId: room.id,
        number: ticket.number,
        showMe,
        name: name === undefined ? null : requireName(name),
      }
      const shown = await showTicket(ledger.db, wish)
      if (shown === null) throw new SeatwiseError('BAD_REQUEST', { message: 'There is no name to show: send one' })
      reply.header('cache-control', 'no-store')
      return shown
    },
  )
}

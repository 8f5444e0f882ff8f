import { readAway, readTicketState, type TicketOfOperator } from '@seatwise/ledger'
import Type from 'typebox'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import type { App } from '../../http/index.ts'
import { ticketId } from '../../rooms/index.ts'
import { saleAddresses } from './sale-address.ts'

const tags = ['operate a room']
const Path = Type.Object({ id: Type.String() })
const LimitQuery = Type.Object(
  { limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }) },
  { additionalProperties: false },
)

/** The head of the line and the floor as tables. */
export function tableRoutes(app: App, { ledger, rooms }: BoxOfficeServices): void {
  for (const address of saleAddresses({ rooms })) {
    app.get(
      `${address.path}/queue/front`,
      {
        config: { access: { act: 'list', on: address.on } },
        schema: {
          tags,
          summary: 'Who goes in next, and who was passed over because they were away',
          params: Path,
          querystring: LimitQuery,
        },
      },
      async (request, reply) => {
        const room = await address.find(request.params.id)
        const { limit } = request.query
        const [line, away] = await Promise.all([room.range(0, limit - 1), readAway(ledger.db, room.id, limit)])
        const numbers = [...line.map(({ number }) => number), ...away]
        const known = await readKnown(ledger, room.id, numbers)
        reply.header('cache-control', 'no-store')
        const describe = (number: number) => ({
          ticketId: ticketId(room.id, number),
          ...describeTicket(known.get(number)),
        })
        return {
          items: line.map(({ number, rank, class: ticketClass }) => ({
            ...describe(number),
            ...{ position: rank + 1, class: ticketClass },
          })),
          away: away.map((number) => describe(number)),
        }
      },
    )
    app.get(
      `${address.path}/queue/floor`,
      {
        config: { access: { act: 'list', on: address.on } },
        schema: { tags, summary: 'Who is on the floor, by deadline', params: Path, querystring: LimitQuery },
      },
      async (request, reply) => {
        const room = await address.find(request.params.id)
        const floor = await room.floor(request.query.limit)
        const known = await readKnown(
          ledger,
          room.id,
          floor.map(({ number }) => number),
        )
        reply.header('cache-control', 'no-store')
        return {
          items: floor.map(({ number, state, deadline, reservedSeats }) => ({
            ticketId: ticketId(room.id, number),
            ...describeTicket(known.get(number)),
            ...{ state, deadline: new Date(deadline), reservedSeats },
          })),
        }
      },
    )
  }
}

async function readKnown({ db }: BoxOfficeServices['ledger'], roomId: string, numbers: readonly number[]) {
  return new Map((await readTicketState(db, roomId, numbers)).map((ticket) => [ticket.number, ticket]))
}

/** A ticket that the ledger has not recorded yet has no name for a moment. */
function describeTicket(ticket: TicketOfOperator | undefined) {
  if (ticket === undefined) return { name: null, email: null, joinedAt: null }
  const { number: _, reservationId, reservationStatus, amount, currency, ...facts } = ticket
  const reservation = reservationId === null ? null : { id: reservationId, status: reservationStatus, amount, currency }
  return { ...facts, reservation }
}

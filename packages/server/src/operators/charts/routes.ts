import Type from 'typebox'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import type { App } from '../../http/index.ts'
import { saleAddresses } from '../console/sale-address.ts'
import { drawCharts } from './draw-charts.ts'
import type { Charts } from './open-charts.ts'
import { COARSE_STEP_MS, FINE_STEP_MS } from './room-chart.ts'

const ChartsQuery = Type.Object(
  {
    since: Type.Optional(
      Type.String({ format: 'date-time', maxLength: 40, description: 'A time; without one all that is kept' }),
    ),
    step: Type.Union([Type.Literal(FINE_STEP_MS / 1_000), Type.Literal(COARSE_STEP_MS / 1_000)], {
      default: FINE_STEP_MS / 1_000,
      description: 'Seconds: 2 for the last hour, 60 for the last day',
    }),
  },
  { additionalProperties: false },
)

/** How a room moved over time, for the console's charts. */
export function chartRoutes(app: App, services: BoxOfficeServices, charts: Charts): void {
  for (const address of saleAddresses(services)) {
    app.get(
      `${address.path}/charts`,
      {
        config: { access: { act: 'statistics', on: address.on } },
        schema: {
          tags: ['operate a room'],
          summary: 'Time series of the room, added up from its log',
          description: 'The last points may still change: ask again from ten seconds before the last one.',
          params: Type.Object({ id: Type.String() }),
          querystring: ChartsQuery,
        },
      },
      async (request, reply) => {
        const { row } = await address.find(request.params.id)
        const { since, step } = request.query
        const sinceMs = since === undefined ? 0 : Date.parse(since)
        const sale = await charts.read(row.id, row.eventId)
        reply.header('cache-control', 'no-store')
        return drawCharts(sale, step * 1_000, sinceMs)
      },
    )
  }
}

import { SeatwiseError } from '@seatwise/domain'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { App } from '../../http/index.ts'
import { isUuid, measureBuffers, Rounds } from '../../kit/index.ts'
import type { RoomServices } from '../room-services.ts'
import { RoomPath } from '../routes/schemas.ts'
import { findReport } from './find-report.ts'
import { listPastReports } from './past-reports.ts'
import type { SaleReports } from './sale-reports.ts'
import { FairnessAnswer, PastReportsAnswer, PastReportsQuery } from './schemas.ts'

const tags = ['transparency log']
const openToAll = { access: 'public-or-signed-in', isForAll: true } as const
/** How soon after a sale its report is signed, at the latest. */
const DUE_MS = 60_000

/** How fair a sale was: public when it is over. Final reports are made without a request, too. Rules J73–J77. */
export function fairnessRoutes(app: App, services: RoomServices, reports: SaleReports): void {
  reportRoute(app, services, reports, { path: '/api/events/:id', by: (id) => ({ eventId: id }), name: 'Event' })
  reportRoute(app, services, reports, { path: '/api/rooms/:id', by: (id) => ({ roomId: id }), name: 'Room' })
  listRoute(app, services)
  measureBuffers(services.metrics, { counted_sales: () => reports.studies })
  const rounds = new Rounds(services.log, [
    { name: 'making fairness reports', everyMs: DUE_MS, work: () => reports.finishDue() },
  ])
  app.addHook('onReady', async () => rounds.start())
  app.addHook('onClose', async () => await rounds.close())
}

interface Where {
  readonly path: '/api/events/:id' | '/api/rooms/:id'
  readonly by: (id: string) => { readonly eventId: string } | { readonly roomId: string }
  readonly name: string
}

function reportRoute(app: App, services: RoomServices, reports: SaleReports, { path, by, name }: Where): void {
  app.get(
    `${path}/fairness`,
    {
      config: openToAll,
      schema: {
        ...{ tags, operationId: `readFairnessOf${name}`, params: RoomPath },
        summary: 'How fair the sale was: public once it is over',
        description:
          'Over means: `salesEndAt` has passed, or it is sold out and the last visitor has left. Before that 403, but for the organization.',
        response: { 200: FairnessAnswer },
      },
    },
    async (request, reply) => {
      const { report } = await findReport(services, reports, by(request.params.id.toLowerCase()), request.actor)
      if (report === null) throw new SeatwiseError('FORBIDDEN', { message: NOT_YET })
      reply.header('cache-control', isOwn(request) ? 'no-store' : 'public, max-age=5')
      return report
    },
  )
}

const NOT_YET = 'The report is published when the sale is over'

function isOwn({ actor }: FastifyRequest): boolean {
  return actor !== null
}

function listRoute(app: App, { ledger }: RoomServices): void {
  app.get(
    '/api/organizations/:id/fairness',
    {
      config: { access: 'public' },
      schema: {
        ...{ tags, operationId: 'listFairnessOfOrganization', params: Type.Object({ id: Type.String() }) },
        summary: 'The reports of an organization’s past sales, the newest first',
        querystring: PastReportsQuery,
        response: { 200: PastReportsAnswer },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      if (!isUuid(id)) throw new SeatwiseError('NOT_FOUND')
      const { items, nextCursor } = await listPastReports(ledger, id, request.query)
      reply.header('cache-control', 'public, max-age=5')
      return {
        items: items.map(({ closedAt, at, ...past }) => ({
          ...past,
          ...{ closedAt: closedAt.toISOString(), at: at.toISOString() },
        })),
        nextCursor,
      }
    },
  )
}

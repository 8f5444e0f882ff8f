import { readTrail, type TrailEntry, type TrailOf } from '@seatwise/ledger'
import Type from 'typebox'
import { type BoxOfficeServices, venueZone } from '../../box-office/index.ts'
import { type App, actorOf } from '../../http/index.ts'
import { sendTable } from '../../kit/index.ts'
import { type SaleAddress, saleAddresses } from '../console/sale-address.ts'
import { undoAction } from './undo-action.ts'

const tags = ['operate a room']
const PAGE_MAX = 200

const TrailQuery = Type.Object(
  {
    cursor: Type.Optional(Type.Integer({ minimum: 1 })),
    limit: Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 50 }),
  },
  { additionalProperties: false },
)
const Path = Type.Object({ id: Type.String() })
const UndoPath = Type.Object({ id: Type.String(), action: Type.Integer({ minimum: 1 }) })

/** The audit trail of one event or room, or of the whole deployment: read, export as a table, and undo. */
export function trailRoutes(app: App, services: BoxOfficeServices): void {
  for (const address of saleAddresses(services)) {
    readingRoutes(app, services, address)
    undoRoute(app, services, address)
  }
  app.get(
    '/api/trail',
    {
      config: { access: ['admin'] },
      schema: { tags, summary: 'What operators did anywhere, newest first', querystring: TrailQuery },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return await readPage(services, { eventId: null, roomId: null }, request.query)
    },
  )
}

function readingRoutes(app: App, services: BoxOfficeServices, address: SaleAddress): void {
  app.get(
    `${address.path}/trail`,
    {
      config: { access: { act: 'list', on: address.on } },
      schema: { tags, summary: 'What operators did, newest first', params: Path, querystring: TrailQuery },
    },
    async (request, reply) => {
      const { row } = await address.find(request.params.id)
      reply.header('cache-control', 'no-store')
      return await readPage(services, { eventId: row.eventId, roomId: row.id }, request.query)
    },
  )
  app.get(
    `${address.path}/trail.csv`,
    {
      config: { access: { act: 'export', on: address.on }, fresh: true },
      schema: { tags, summary: 'The whole trail as a table', params: Path },
    },
    async (request, reply) => {
      const { row } = await address.find(request.params.id)
      const pages = pagesOf(services, { eventId: row.eventId, roomId: row.id })
      return sendTable(reply, { name: 'trail', timeZone: await venueZone(services.ledger, row.eventId), pages })
    },
  )
}

function undoRoute(app: App, services: BoxOfficeServices, address: SaleAddress): void {
  app.post(
    `${address.path}/trail/:action/undo`,
    {
      config: { access: { act: 'room', on: address.on } },
      schema: {
        tags,
        summary: 'Take a change of a room back',
        description: 'Refused when something of it was changed again since: then the former values mean nothing.',
        params: UndoPath,
      },
    },
    async (request) => {
      const actor = actorOf(request)
      const room = await address.find(request.params.id)
      return await undoAction(services, room, request.params.action, actor)
    },
  )
}

async function readPage(
  { ledger }: BoxOfficeServices,
  of: TrailOf,
  { cursor = null, limit }: { cursor?: number | null; limit: number },
): Promise<{ items: TrailEntry[]; nextCursor: string | null }> {
  const items = await readTrail(ledger.db, of, { before: cursor, limit: limit + 1 })
  const shown = items.slice(0, limit)
  return { items: shown, nextCursor: items.length > limit ? String(shown.at(-1)?.id) : null }
}

async function* pagesOf({ ledger }: BoxOfficeServices, of: TrailOf): AsyncGenerator<object[]> {
  let before: number | null = null
  while (true) {
    const page: TrailEntry[] = await readTrail(ledger.db, of, { before, limit: PAGE_MAX })
    const last = page.at(-1)
    if (last === undefined) return
    yield page.map((entry) => ({
      ...{ id: entry.id, at: entry.at, who: entry.actorName ?? entry.actorId, role: entry.actorRole, what: entry.kind },
      ...{ subject: entry.subject, before: JSON.stringify(entry.before), after: JSON.stringify(entry.after) },
      undoes: entry.undoes,
    }))
    before = last.id
  }
}

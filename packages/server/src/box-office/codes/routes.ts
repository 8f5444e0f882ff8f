import { SeatwiseError } from '@seatwise/domain'
import { endCode, type Ledger, listCodes } from '@seatwise/ledger'
import Type from 'typebox'
import { type App, actorOf } from '../../http/index.ts'
import { isUuid, sendTable } from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { readEventId } from '../events/event-id.ts'
import { venueZone } from '../events/venue-zone.ts'
import { checkCode } from './check-code.ts'
import { describeCode, tableRow } from './describe-code.ts'
import { makeCodes } from './make-codes.ts'
import {
  CheckAnswer,
  CheckBody,
  CodePath,
  CodesAnswer,
  CodesBody,
  CodesPath,
  CodesQuery,
  MadeCodesAnswer,
} from './schemas.ts'

const tags = ['codes']
const config = { access: { act: 'codes', on: 'event' } } as const
const EXPORT_PAGE = 1_000

/** Codes of an event: for its organiser to make, list, export and end; for visitors to check. */
export function codeRoutes(app: App, services: BoxOfficeServices): void {
  makingRoutes(app, services)
  listingRoutes(app, services)

  app.post(
    '/api/events/:id/codes/check',
    {
      config: { access: 'public-or-signed-in', sale: 'path' },
      schema: {
        tags,
        summary: 'What a code does',
        description:
          'With the hidden seat types that it opens, and their seats. It uses nothing up; wrong codes are limited.',
        params: CodesPath,
        body: CheckBody,
        response: { 200: CheckAnswer },
      },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const checked = await checkCode(services, { eventId, text: request.body.code, address: request.ip })
      return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(checked)
    },
  )
}

function makingRoutes(app: App, services: BoxOfficeServices): void {
  const { ledger } = services
  app.post(
    '/api/events/:id/codes',
    {
      config,
      schema: {
        tags,
        summary: 'Make a code, or many random ones',
        params: CodesPath,
        body: CodesBody,
        response: { 201: MadeCodesAnswer },
      },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const actor = actorOf(request)
      const items = await makeCodes(services, { eventId, body: request.body, actor })
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ items: [...items] })
    },
  )
  app.delete(
    '/api/events/:id/codes/:codeId',
    {
      config,
      schema: {
        ...{ tags, summary: 'End a code', description: 'What was reserved with it stays.', params: CodePath },
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const actor = actorOf(request)
      const codeId = request.params.codeId.toLowerCase()
      const isKnown = isUuid(codeId) && (await endCode(ledger, { eventId, codeId, by: actor.id }))
      if (!isKnown) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such code' })
      return reply.code(204).send(null)
    },
  )
}

function listingRoutes(app: App, { ledger }: BoxOfficeServices): void {
  app.get(
    '/api/events/:id/codes',
    {
      config,
      schema: {
        tags,
        summary: 'The codes of an event, the newest first, with their uses',
        params: CodesPath,
        querystring: CodesQuery,
        response: { 200: CodesAnswer },
      },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const { cursor = null, limit } = request.query
      const found = await listCodes(ledger.db, { eventId, before: cursor, limit: limit + 1 })
      const items = found.slice(0, limit).map(describeCode)
      reply.header('cache-control', 'no-store')
      return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null }
    },
  )
  app.get(
    '/api/events/:id/codes.csv',
    {
      config: { access: { act: 'export', on: 'event' } },
      schema: { tags, summary: 'All codes of an event as a table', params: CodesPath, produces: ['text/csv'] },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const timeZone = await venueZone(ledger, eventId)
      const { currency } = await ledger.db
        .selectFrom('events')
        .select('currency')
        .where('id', '=', eventId)
        .executeTakeFirstOrThrow()
      const pages = pagesOf(ledger, eventId, currency)
      return sendTable(reply, { name: 'codes', timeZone, pages, money: ['amountOff', 'price'] })
    },
  )
}

async function* pagesOf(ledger: Ledger, eventId: string, currency: string): AsyncGenerator<object[]> {
  for (let before: string | null = null; ; ) {
    const page = await listCodes(ledger.db, { eventId, before, limit: EXPORT_PAGE })
    yield page.map((code) => tableRow(code, currency))
    if (page.length < EXPORT_PAGE) return
    before = page.at(-1)?.id ?? null
  }
}

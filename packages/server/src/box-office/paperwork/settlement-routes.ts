import { SeatwiseError } from '@seatwise/domain'
import { exportSettlement, readSettlement, type SettlementOf } from '@seatwise/ledger'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../http/index.ts'
import { sendTable } from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { readEventId } from '../events/event-id.ts'
import { requireOrganization } from './organization-routes.ts'
import type { Press } from './press/press.ts'
import { type AskedPeriod, type ReadPeriod, readEventPeriod, readPeriod } from './read-period.ts'
import { EventPeriodQuery, OrganizationPath, PeriodQuery, SettlementAnswer } from './schemas.ts'
import { languageOf, sendPdf } from './send-pdf.ts'
import { composeSettlement } from './settlement-paper.ts'

type Asking = FastifyRequest<{ Params: { id: string }; Querystring: AskedPeriod }>

/** Columns of the table. */
const SUMS = ['gross', 'fees', 'tax', 'refunds', 'refunded_tax', 'charges', 'payout']

/** What a settlement is of. */
interface Subject {
  readonly name: string
  readonly of: SettlementOf
  readonly period: ReadPeriod
}

/** What was taken, went back and is paid out: of an event and of an organization, as JSON, as a table and on paper. */
export function settlementRoutes(app: App, services: BoxOfficeServices, press: Press): void {
  const { ledger, now } = services
  const places = [
    {
      path: '/api/events/:id/settlement',
      what: 'an event',
      tags: ['events'],
      on: 'event',
      querystring: EventPeriodQuery,
      find: findEvent,
    },
    {
      path: '/api/organizations/:id/settlement',
      what: 'an organization; of the last 31 days if none are named',
      tags: ['organizations'],
      on: 'organization',
      querystring: PeriodQuery,
      find: findOrganization,
    },
  ] as const
  for (const { path, what, tags, on, querystring, find } of places) {
    // Sums are statistics; what leaves as a file is an export.
    const config = { access: { act: 'export', on } } as const
    const schema = { tags, params: OrganizationPath, querystring }
    const summary = `Gross, fees, tax, refunds, charges and payout of ${what}, by day, event and currency`
    app.get(
      path,
      {
        config: { access: { act: 'statistics', on } },
        schema: { ...schema, summary, response: { 200: SettlementAnswer } },
      },
      async (request, reply) => {
        const { of, period } = await find(request as Asking)
        reply.header('cache-control', 'no-store')
        const { timeZone, days } = period
        const { totals, days: byDay, events, ...open } = await readSettlement(ledger.db, of)
        const sums = { totals: [...totals], days: [...byDay], events: [...events] }
        return { from: days?.from ?? null, to: days?.to ?? null, timeZone, ...sums, ...open }
      },
    )
    const asTable = { ...schema, summary: `${summary}, as a table`, produces: ['text/csv'] }
    app.get(`${path}.csv`, { config, schema: asTable }, async (request, reply) => {
      const { of } = await find(request as Asking)
      const pages = exportSettlement(ledger.db, of)
      return sendTable(reply, { name: 'settlement', timeZone: of.timeZone, pages, money: SUMS })
    })
    const onPaper = { ...schema, summary: `${summary}, on paper`, produces: ['application/pdf'] }
    app.get(`${path}.pdf`, { config, schema: onPaper }, (request, reply) => print(request as Asking, reply, find))
  }

  async function print(
    request: Asking,
    reply: FastifyReply,
    find: (request: Asking) => Promise<Subject>,
  ): Promise<FastifyReply> {
    press.refuseCrowd()
    const { name, of, period } = await find(request)
    const settlement = await readSettlement(ledger.db, of)
    const facts = { settlement, name, period: period.days, timeZone: of.timeZone, at: new Date(now()) }
    return sendPdf(reply, 'settlement', await press.print(composeSettlement(languageOf(request), facts)))
  }

  async function findEvent(request: Asking): Promise<Subject> {
    const eventId = readEventId(request.params.id)
    const event = await ledger.db
      .selectFrom('events')
      .select(['name', 'time_zone'])
      .where('id', '=', eventId)
      .executeTakeFirst()
    if (event === undefined) throw new SeatwiseError('NOT_FOUND')
    const period = readEventPeriod({ ...request.query, timeZone: event.time_zone }, now())
    return { name: event.name, period, of: settlementOf({ eventId, organizationId: null }, period) }
  }

  async function findOrganization(request: Asking): Promise<Subject> {
    const period = readPeriod(request.query, now())
    const { id: organizationId, name } = await requireOrganization(ledger, request.params.id)
    return { name, period, of: settlementOf({ eventId: null, organizationId }, period) }
  }
}

function settlementOf(
  subject: Pick<SettlementOf, 'eventId' | 'organizationId'>,
  { from, until, timeZone }: ReadPeriod,
): SettlementOf {
  return { ...subject, from, until, timeZone }
}

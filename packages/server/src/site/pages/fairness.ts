import { SeatwiseError } from '@seatwise/domain'
import { fairnessPage, pastSalesPage } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import { findReport, listPastReports } from '../../rooms/index.ts'
import { queryOf } from './page-kit.ts'
import { forAll, forPeople, type PageParts, readPageEvent } from './page-parts.ts'

type IdRequest = FastifyRequest<{ Params: { id: string } }>

const PAGE = 50

/** The page of a fairness report, and the list of an organization's past sales. */
export function fairnessPages(app: App, parts: PageParts): void {
  app.get('/events/:id/fairness', forAll(forPeople), (request: IdRequest, reply) =>
    show(parts, 'event', request, reply),
  )
  app.get('/rooms/:id/fairness', forAll(forPeople), (request: IdRequest, reply) => show(parts, 'room', request, reply))
  app.get('/organizations/:id/fairness', forAll(forPeople), async (request: IdRequest, reply) => {
    const organizationId = request.params.id
    if (!isUuid(organizationId)) throw new SeatwiseError('NOT_FOUND')
    const cursor = queryOf(request, 'cursor')
    const { items, nextCursor } = await listPastReports(parts.ledger, organizationId, { cursor, limit: PAGE })
    const facts = { organizationId, sales: items, nextCursor }
    return parts.kit.send(request, reply, pastSalesPage(parts.kit.languageOf(request), facts))
  })
}

/** Before the sale is over the page says when there will be a report; programs get the same status from the API. */
async function show(parts: PageParts, kind: 'event' | 'room', request: IdRequest, reply: FastifyReply) {
  const id = request.params.id.toLowerCase()
  const by = kind === 'event' ? { eventId: id } : { roomId: id }
  const { row, report } = await findReport(parts, parts.reports, by, request.actor)
  const { name } = kind === 'event' ? await readPageEvent(parts, request, id) : row
  const facts = { kind, id, name, organizationId: row.organizationId, report }
  return parts.kit.send(request, reply, fairnessPage(parts.kit.languageOf(request), facts), report === null ? 403 : 200)
}

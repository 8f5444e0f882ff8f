import type { FastifyRequest } from 'fastify'
import {
  type BoxOfficeServices,
  duplicateEvent,
  type EventReads,
  editEvent,
  readEventId,
} from '../../box-office/index.ts'
import { type App, actorOf } from '../../http/index.ts'
import { ButtonForm } from '../../site/index.ts'

const ofEvent = {
  config: { access: { act: 'event', on: 'event' } },
  schema: { hide: true, body: ButtonForm },
} as const
type WithId = FastifyRequest<{ Params: { id: string } }>

/** The buttons of an event's page that publish a draft and make another event like this one. */
export function statePages(app: App, services: BoxOfficeServices, reads: EventReads): void {
  app.post('/console/events/:id/publish', ofEvent, async (request: WithId, reply) => {
    const eventId = readEventId(request.params.id)
    await editEvent(services, reads, { eventId, body: { state: 'published' }, actor: actorOf(request) })
    return reply.redirect(`/console/events/${eventId}`, 303)
  })
  app.post('/console/events/:id/duplicate', ofEvent, async (request: WithId, reply) => {
    const { id } = await duplicateEvent(services, readEventId(request.params.id), actorOf(request), reads)
    return reply.redirect(`/console/events/${id}/edit`, 303)
  })
}

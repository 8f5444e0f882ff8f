import { SeatwiseError } from '@seatwise/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, type App, actorOf, EVENT_BODY_BYTES } from '../../http/index.ts'
import {
  answerTogether,
  type Document,
  makeDocument,
  type ReadCache,
  sendDocument,
  sendOwnDocument,
} from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { createSeatChanges } from '../seat-map/answer-changes.ts'
import { createEvent } from './create-event.ts'
import { readCursor } from './cursor.ts'
import { editEvent } from './edit-event.ts'
import { readEventId } from './event-id.ts'
import { type EventReads, pageKey } from './event-reads.ts'
import {
  EventAnswer,
  EventChange,
  EventId,
  ListQuery,
  NewEvent,
  PageAnswer,
  SearchQuery,
  SeatMapAnswer,
  SeatsQuery,
} from './schemas.ts'
import { readMoment, readWords } from './search-query.ts'

const tags = ['events']
const EDITORS = ['organizer', 'admin'] as const
/** Callers who may write events read the ledger; all other callers read the cache. */
const everybody = { access: 'public-or-signed-in' } as const

/** Events: create, edit, read one, list, search, and read their seats. */
export function eventRoutes(app: App, services: BoxOfficeServices, reads: EventReads): void {
  const seatChanges = createSeatChanges(services.boxOffice.seatMaps)
  writingRoutes(app, services, reads)
  findingRoutes(app, reads)

  app.get(
    '/api/events/:id',
    {
      config: { ...everybody, sale: 'path' },
      schema: { tags, summary: 'An event', params: EventId, response: { 200: EventAnswer } },
    },
    (request, reply) => answer(reads.events, readEventId(request.params.id), request, reply),
  )
  app.get(
    '/api/events/:id/seats',
    {
      config: { ...everybody, sale: 'path' },
      schema: {
        tags,
        summary: 'Every seat of an event, or what changed since a version',
        description: 'With `since`: `{version, changes: [{id, status}]}`, or every seat when that version is too old.',
        params: EventId,
        querystring: SeatsQuery,
        response: { 200: SeatMapAnswer },
      },
    },
    (request, reply) => {
      const eventId = readEventId(request.params.id)
      const { since } = request.query
      if (since === undefined) return answer(reads.seatMaps, eventId, request, reply)
      return seatChanges
        .since(eventId, since)
        .then((changes) =>
          changes === null ? load(reads.seatMaps, eventId, request, reply) : sendDocument(request, reply, changes),
        )
    },
  )
}

function writingRoutes(app: App, services: BoxOfficeServices, reads: EventReads): void {
  app.post(
    '/api/events',
    {
      config: { access: EDITORS },
      bodyLimit: EVENT_BODY_BYTES,
      schema: { tags, summary: 'Make an event', body: NewEvent, response: { 201: EventAnswer } },
    },
    async (request, reply) => {
      const event = await createEvent(services, request.body, actorOf(request).id, reads)
      reply.code(201).header('location', `/api/events/${event.id}`)
      return sendOwnDocument(request, reply, makeDocument(JSON.stringify(event)))
    },
  )
  app.patch(
    '/api/events/:id',
    {
      config: { access: EDITORS },
      bodyLimit: EVENT_BODY_BYTES,
      schema: { tags, summary: 'Edit an event', params: EventId, body: EventChange, response: { 200: EventAnswer } },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const edit = { eventId, body: request.body, actor: actorOf(request) }
      return sendOwnDocument(request, reply, makeDocument(JSON.stringify(await editEvent(services, reads, edit))))
    },
  )
}

function findingRoutes(app: App, { pages }: EventReads): void {
  app.get(
    '/api/events',
    {
      config: everybody,
      schema: {
        tags,
        summary: 'Events that are not over, in order of `startsAt`; those without a date come last',
        querystring: ListQuery,
        response: { 200: PageAnswer },
      },
    },
    (request, reply) => {
      const { cursor, limit } = request.query
      const after = cursor === undefined ? null : readCursor(cursor)
      const key = pageKey({ kind: 'list', limit, after, words: '', place: '', from: null, to: null })
      return answer(pages, key, request, reply)
    },
  )
  app.get(
    '/api/events/search',
    {
      config: everybody,
      schema: {
        tags,
        summary: 'Find events, best first',
        description: 'Forgives accents, case and typing errors. Without words the soonest comes first.',
        querystring: SearchQuery,
        response: { 200: PageAnswer },
      },
    },
    (request, reply) => {
      const { q, location, cursor, limit } = request.query
      const from = readMoment('from', request.query.from)
      const to = readMoment('to', request.query.to)
      const after = cursor === undefined ? null : readCursor(cursor)
      const page = { kind: 'search', limit, after, words: readWords(q), place: readWords(location), from, to } as const
      return answer(pages, pageKey(page), request, reply)
    },
  )
}

/** The hot path: a cached answer is sent together with the others of this turn of the event loop. */
function answer<Value extends Document>(
  cache: ReadCache<Value>,
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> | undefined {
  const document = isEditor(request.actor) ? undefined : cache.peek(key)
  if (document === undefined) return load(cache, key, request, reply)
  const known = found(document)
  answerTogether(reply, () => sendDocument(request, reply, known))
  return undefined
}

async function load<Value extends Document>(
  cache: ReadCache<Value>,
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (isEditor(request.actor)) return sendOwnDocument(request, reply, found(await cache.readNow(key)))
  return sendDocument(request, reply, found(await cache.read(key)))
}

const isEditor = (actor: Actor | null): boolean => actor?.role === 'organizer' || actor?.role === 'admin'

function found<Value>(document: Value | null): Value {
  if (document === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
  return document
}

import { isLedgerAway } from '@seatwise/ledger'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { type App, actorOf, EVENT_BODY_BYTES, isOperator } from '../../http/index.ts'
import {
  answerTogether,
  type Copy,
  type Document,
  goesCompressed,
  makeDocument,
  type ReadCache,
  sendCompressed,
  sendDocument,
  sendOwnDocument,
  tellStale,
} from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { createSeatChanges } from '../seat-map/answer-changes.ts'
import { createEvent } from './create-event.ts'
import { readCursor } from './cursor.ts'
import { duplicateEvent } from './duplicate-event.ts'
import { editEvent } from './edit-event.ts'
import { readEventId } from './event-id.ts'
import { type DraftOrNot, type EventDocument, type EventReads, pageKey } from './event-reads.ts'
import { requireShown } from './hide-draft.ts'
import { imageRoutes } from './image-routes.ts'
import { readOwnEvent, seesMore } from './read-own-event.ts'
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
/** Of every read below, in the API's description. */
const STALE =
  'While the ledger is away: the last good copy, up to 15 minutes old, with the header `Seatwise-Stale` (its age in seconds) once that is more than 5.'
/** Operators read the ledger; all other callers read the cache. */
const everybody = { access: 'public-or-signed-in', isForAll: true } as const

/** Events: create, edit, read one, list, search, and read their seats. */
export function eventRoutes(app: App, services: BoxOfficeServices, reads: EventReads): void {
  const seatChanges = createSeatChanges(services.boxOffice.seatMaps, services.pulse)
  writingRoutes(app, services, reads)
  findingRoutes(app, reads)
  imageRoutes(app, services, reads)

  /** Members get all of the events of their organizations, every other caller the public document. */
  function answerOrOwn<Value extends EventDocument>(
    what: 'event' | 'seats',
    cache: ReadCache<Value>,
    request: FastifyRequest<{ Params: Static<typeof EventId> }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> | undefined {
    const eventId = readEventId(request.params.id)
    if (!isOperator(request.actor)) return answer(cache, eventId, request, reply)
    return (async () => {
      const known = requireShown(await cache.readNow(eventId), request.actor)
      const own = seesMore(known, request.actor) ? await readOwnEvent(services, eventId, what) : known
      return sendOwnDocument(request, reply, requireShown<Document & DraftOrNot>(own, request.actor))
    })()
  }

  async function changesSince(eventId: string, since: number, request: FastifyRequest, reply: FastifyReply) {
    // Drafts are few, and what is known of an event says whether it is one.
    const known = reads.events.peek(eventId)
    const event = known === undefined ? await reads.events.readCopy(eventId).catch(nothingIfAway) : { value: known }
    if (event !== undefined) requireShown(event?.value ?? null, request.actor)
    const changes = await seatChanges.since(eventId, since)
    return changes === null ? await load(reads.seatMaps, eventId, request, reply) : send(request, reply, changes)
  }

  app.get(
    '/api/events/:id',
    {
      config: { ...everybody, sale: 'path' },
      schema: { tags, summary: 'An event', description: STALE, params: EventId, response: { 200: EventAnswer } },
    },
    (request, reply) => answerOrOwn('event', reads.events, request, reply),
  )
  app.get(
    '/api/events/:id/seats',
    {
      config: { ...everybody, sale: 'path' },
      schema: {
        tags,
        summary: 'Every seat of an event, or what changed since a version',
        description: `With \`since\`: \`{version, changes: [{id, status}]}\`, or every seat when that version is too old. ${STALE}`,
        params: EventId,
        querystring: SeatsQuery,
        response: { 200: SeatMapAnswer },
      },
    },
    (request, reply) => {
      const eventId = readEventId(request.params.id)
      const { since } = request.query
      if (since === undefined) return answerOrOwn('seats', reads.seatMaps, request, reply)
      return changesSince(eventId, since, request, reply)
    },
  )
}

function writingRoutes(app: App, services: BoxOfficeServices, reads: EventReads): void {
  app.post(
    '/api/events',
    {
      config: { access: { act: 'event', on: 'some' } },
      bodyLimit: EVENT_BODY_BYTES,
      schema: { tags, summary: 'Make an event', body: NewEvent, response: { 201: EventAnswer } },
    },
    async (request, reply) => {
      const event = await createEvent(services, request.body, actorOf(request), reads)
      reply.code(201).header('location', `/api/events/${event.id}`)
      return sendOwnDocument(request, reply, makeDocument(JSON.stringify(event)))
    },
  )
  app.post(
    '/api/events/:id/duplicate',
    {
      config: { access: { act: 'event', on: 'event' } },
      schema: {
        tags,
        operationId: 'duplicateEvent',
        summary: 'Make a draft that is like this event',
        description: 'Its facts, prices, plan, questions and room; not its codes, picture, short code and message.',
        params: EventId,
        response: { 201: EventAnswer },
      },
    },
    async (request, reply) => {
      const event = await duplicateEvent(services, readEventId(request.params.id), actorOf(request), reads)
      reply.code(201).header('location', `/api/events/${event.id}`)
      return sendOwnDocument(request, reply, makeDocument(JSON.stringify(event)))
    },
  )
  app.patch(
    '/api/events/:id',
    {
      config: { access: { act: 'event', on: 'event' } },
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
        description: STALE,
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
        description: `Forgives accents, case and typing errors. Without words the soonest comes first. ${STALE}`,
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
function answer<Value extends Document & DraftOrNot>(
  cache: ReadCache<Value>,
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> | undefined {
  const document = isOperator(request.actor) ? undefined : cache.peek(key)
  if (document === undefined) return load(cache, key, request, reply)
  const known = requireShown(document, request.actor)
  if (goesCompressed(request, known)) return sendCompressed(request, reply, known)
  answerTogether(reply, () => sendDocument(request, reply, known))
  return undefined
}

async function load<Value extends Document & DraftOrNot>(
  cache: ReadCache<Value>,
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { actor } = request
  if (isOperator(actor)) return sendOwnDocument(request, reply, requireShown(await cache.readNow(key), actor))
  const copy = await cache.readCopy(key)
  const value = requireShown(copy?.value ?? null, actor)
  return send(request, reply, { value, staleSeconds: copy?.staleSeconds ?? null })
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { value, staleSeconds }: Copy<Document>,
): FastifyReply | Promise<FastifyReply> {
  tellStale(reply, staleSeconds)
  return goesCompressed(request, value) ? sendCompressed(request, reply, value) : sendDocument(request, reply, value)
}

/** While the ledger is away, what this server remembers of the seats is shown. */
function nothingIfAway(error: unknown): undefined {
  if (!isLedgerAway(error)) throw error
}

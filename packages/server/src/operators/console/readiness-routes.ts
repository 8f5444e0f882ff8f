import { readRehearsals, registerRehearsal } from '@seatwise/ledger'
import Type from 'typebox'
import { type BoxOfficeServices, readEventId } from '../../box-office/index.ts'
import { type App, actorOf, EVENT_BODY_BYTES } from '../../http/index.ts'
import { judgeReadiness } from './judge-readiness.ts'

const tags = ['operate a room']
const Path = Type.Object({ id: Type.String() })
const RehearsalBody = Type.Object(
  {
    verdict: Type.Union([Type.Literal('passed'), Type.Literal('failed')]),
    report: Type.Record(Type.String(), Type.Unknown(), { description: 'What `seatwise rehearse` wrote' }),
  },
  { additionalProperties: false },
)
const LISTED_MAX = 20

/** Go or no-go: the checks before a sale opens, and the rehearsals that support them. */
export function readinessRoutes(app: App, services: BoxOfficeServices): void {
  const { ledger, rooms } = services
  app.get(
    '/api/events/:id/readiness',
    {
      config: { access: { act: 'statistics', on: 'event' } },
      schema: { tags, summary: 'Is everything right for this sale to open?', params: Path },
    },
    async (request, reply) => {
      const room = await rooms.ofEvent(request.params.id)
      reply.header('cache-control', 'no-store')
      return await judgeReadiness(services, room, readEventId(request.params.id))
    },
  )
  app.get(
    '/api/events/:id/rehearsals',
    {
      config: { access: { act: 'statistics', on: 'event' } },
      schema: { tags, summary: 'Rehearsals of this sale, newest first', params: Path },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      await rooms.ofEvent(eventId)
      reply.header('cache-control', 'no-store')
      return { items: await readRehearsals(ledger.db, eventId, LISTED_MAX) }
    },
  )
  app.post(
    '/api/events/:id/rehearsals',
    {
      config: { access: { act: 'event', on: 'event' } },
      bodyLimit: EVENT_BODY_BYTES,
      schema: { tags, summary: 'Register what a rehearsal of this sale found', params: Path, body: RehearsalBody },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const actor = actorOf(request)
      const { verdict, report } = request.body
      return reply.code(201).send(await registerRehearsal(ledger.db, { eventId, by: actor.id, verdict, report }))
    },
  )
}

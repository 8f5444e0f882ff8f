import { requireText, SeatwiseError } from '@seatwise/domain'
import {
  describeEventImage,
  type ImageWords,
  readEvent,
  readImage,
  type StoredImage,
  setEventImage,
} from '@seatwise/ledger'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { type Actor, type App, actorOf, IMAGE_BODY_BYTES } from '../../http/index.ts'
import { makeDocument, measureBuffers, ReadCache, sendOwnDocument } from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { readEventId } from './event-id.ts'
import type { EventReads } from './event-reads.ts'
import { queuedPictures, readPicture } from './read-picture.ts'
import { EventAnswer, EventId } from './schemas.ts'

const tags = ['events']
const config = { access: { act: 'event', on: 'event' } } as const
const TYPES = ['image/jpeg', 'image/png', 'image/webp']
const IMMUTABLE = 'public, max-age=31536000, immutable'
/** A picture has about 200 KB. */
const IMAGES_BYTES_MAX = 32 * 1_048_576
const FILE = /^([0-9a-f]{64})\.webp$/

const ALT_LENGTH_MAX = 300
const Percent = Type.Integer({ minimum: 0, maximum: 100 })
const Alt = Type.String({ maxLength: ALT_LENGTH_MAX, description: 'What it shows, for visitors who do not see it' })
const ImageQuery = Type.Object({
  alt: Type.Optional(Alt),
  focusX: Type.Integer({ minimum: 0, maximum: 100, default: 50, description: 'What stays in view where it is cut' }),
  focusY: Type.Integer({ minimum: 0, maximum: 100, default: 50 }),
})
const ImageBody = Type.Object(
  {
    alt: Type.Optional(Alt),
    focus: Type.Optional(Type.Object({ x: Percent, y: Percent }, { additionalProperties: false })),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ alt: 'Four players on a dark stage' }] },
)

const readAlt = (alt = ''): string => requireText('alt', alt, { mayBeBlank: true })

/** The picture of an event: its organiser sends it, every visitor gets it. */
export function imageRoutes(app: App, services: BoxOfficeServices, reads: EventReads): void {
  const { ledger, pulse, now } = services
  const show = async (request: FastifyRequest, reply: FastifyReply, eventId: string): Promise<FastifyReply> =>
    sendOwnDocument(request, reply, makeDocument(JSON.stringify(await readEvent(ledger.db, eventId))))
  async function change(id: string, actor: Actor, image: (StoredImage & ImageWords) | null): Promise<string> {
    const eventId = readEventId(id)
    await setEventImage(ledger.db, { eventId, image, by: actor.id })
    reads.forget(eventId)
    return eventId
  }

  app.register(async (scope: App) => {
    scope.addContentTypeParser(TYPES, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.put(
      '/api/events/:id/image',
      {
        config,
        bodyLimit: IMAGE_BODY_BYTES,
        schema: {
          tags,
          summary: 'Give an event its picture',
          description: 'The body is a JPEG, PNG or WebP file of at most 5 MB. It is served as WebP, without metadata.',
          params: EventId,
          querystring: ImageQuery,
          consumes: TYPES,
          response: { 200: EventAnswer },
        },
      },
      async (request, reply) => {
        const eventId = readEventId(request.params.id)
        if (!Buffer.isBuffer(request.body)) {
          throw new SeatwiseError('UNSUPPORTED_MEDIA_TYPE', { message: `Send the body as ${TYPES.join(', ')}` })
        }
        const { alt, focusX: x, focusY: y } = request.query
        const words = { alt: readAlt(alt), focus: { x, y } }
        await change(eventId, actorOf(request), { ...(await readPicture(request.body)), ...words })
        return await show(request, reply, eventId)
      },
    )
  })
  changeRoutes(app, services, { reads, show, change })

  const images = new ReadCache<Buffer>({
    async load({ keys: [hash = ''], isFresh }) {
      const bytes = await pulse.ask(() => readImage(isFresh ? ledger.db : ledger.replica, hash))
      return bytes === null ? new Map() : new Map([[hash, bytes]])
    },
    weigh: (bytes) => bytes.length,
    weightMax: IMAGES_BYTES_MAX,
    batchMax: 1,
    batchesAtOnce: 3,
    waitingMax: 200,
    now,
  })
  measureBuffers(services.metrics, { cached_image_bytes: () => images.weight, queued_pictures: () => queuedPictures() })
  app.get(
    '/images/:file',
    { config: { access: 'public' }, schema: { hide: true, params: Type.Object({ file: Type.String() }) } },
    async (request, reply): Promise<FastifyReply> => {
      const hash = FILE.exec(request.params.file)?.[1]
      const bytes = hash === undefined ? null : (images.peek(hash) ?? (await images.read(hash)))
      if (bytes === null) throw new SeatwiseError('NOT_FOUND')
      return reply.header('cache-control', IMMUTABLE).type('image/webp').send(bytes)
    },
  )
}

interface Changing {
  readonly reads: EventReads
  readonly show: (request: FastifyRequest, reply: FastifyReply, eventId: string) => Promise<FastifyReply>
  readonly change: (id: string, actor: Actor, image: null) => Promise<string>
}

/** What is done without sending a picture. */
function changeRoutes(app: App, { ledger }: BoxOfficeServices, { reads, show, change }: Changing): void {
  app.patch(
    '/api/events/:id/image',
    {
      config,
      schema: {
        tags,
        summary: 'Say what the picture of an event shows, and what of it stays in view',
        params: EventId,
        body: ImageBody,
        response: { 200: EventAnswer },
      },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const { alt, focus } = request.body
      const words = { ...(alt === undefined ? {} : { alt: readAlt(alt) }), ...(focus === undefined ? {} : { focus }) }
      const has = await describeEventImage(ledger.db, { eventId, words, by: actorOf(request).id })
      if (!has) throw new SeatwiseError('NOT_FOUND', { message: 'This event has no picture' })
      reads.forget(eventId)
      return await show(request, reply, eventId)
    },
  )
  app.delete(
    '/api/events/:id/image',
    {
      config,
      schema: { tags, summary: 'Take the picture of an event away', params: EventId, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await change(request.params.id, actorOf(request), null)
      return reply.code(204).send(null)
    },
  )
}

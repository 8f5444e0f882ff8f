import { SeatwiseError } from '@seatwise/domain'
import { readEvent, readImage, type StoredImage, setEventImage } from '@seatwise/ledger'
import type { FastifyReply } from 'fastify'
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

/** The picture of an event: its organiser sends it, every visitor gets it. */
export function imageRoutes(app: App, services: BoxOfficeServices, reads: EventReads): void {
  const { ledger, pulse, now } = services
  async function change(id: string, actor: Actor, image: StoredImage | null): Promise<string> {
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
          consumes: TYPES,
          response: { 200: EventAnswer },
        },
      },
      async (request, reply) => {
        const eventId = readEventId(request.params.id)
        if (!Buffer.isBuffer(request.body)) {
          throw new SeatwiseError('UNSUPPORTED_MEDIA_TYPE', { message: `Send the body as ${TYPES.join(', ')}` })
        }
        await change(eventId, actorOf(request), await readPicture(request.body))
        const event = await readEvent(ledger.db, eventId)
        return sendOwnDocument(request, reply, makeDocument(JSON.stringify(event)))
      },
    )
  })
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

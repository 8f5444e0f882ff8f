import { badField, HOST_FACES, HOST_LIMITS, type HostProfile, isSlug, SeatwiseError } from '@seatwise/domain'
import { editHost, type HostChange, type StoredImage, setLogo } from '@seatwise/ledger'
import Type, { type Static } from 'typebox'
import { type BoxOfficeServices, type EventReads, readPicture } from '../../box-office/index.ts'
import { type App, actorOf, IMAGE_BODY_BYTES } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import { HostProfileAnswer } from '../../wire/index.ts'
import type { HostReads } from './host-reads.ts'

const tags = ['organizations']
const config = { access: { act: 'brand', on: 'organization' } } as const
const TYPES = ['image/jpeg', 'image/png', 'image/webp']
/** Twice as fine as the largest that pages show. */
const LOGO_SIDE_MAX = 320

const OrganizationPath = Type.Object({ id: Type.String() })
const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const HostBody = Type.Object(
  {
    slug: Type.Optional(
      Type.String({ maxLength: HOST_LIMITS.slugLength, description: 'Small letters, digits and strokes between them' }),
    ),
    about: Type.Optional(Type.String({ maxLength: HOST_LIMITS.aboutLength, description: 'Markdown' })),
    website: Type.Optional(nullable(Type.String({ maxLength: HOST_LIMITS.websiteLength }))),
    colour: Type.Optional(nullable(Type.String({ pattern: '^#[0-9A-Fa-f]{6}$' }))),
    face: Type.Optional(Type.Enum([...HOST_FACES])),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ slug: 'opera-house', colour: '#8a2b36' }] },
)

/** What visitors see of an organization: its address, words, colour, letters and logo. */
export function hostRoutes(app: App, services: BoxOfficeServices, hosts: HostReads, reads: EventReads): void {
  const { ledger } = services
  const written = (id: string, host: HostProfile | null): HostProfile => {
    if (host === null) throw noOrganization()
    hosts.forget()
    reads.forgetOrganization(id)
    return host
  }
  app.get(
    '/api/organizers/:slug',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'readOrganizer',
        summary: 'An organization as visitors see it',
        params: Type.Object({ slug: Type.String() }),
        response: { 200: HostProfileAnswer },
      },
    },
    async (request) => {
      const { slug } = request.params
      const host = isSlug(slug) ? await hosts.bySlug(slug) : null
      if (host === null) throw noOrganization()
      return host
    },
  )
  app.patch(
    '/api/organizations/:id/profile',
    {
      config,
      schema: {
        tags,
        operationId: 'changeProfile',
        summary: 'Change what visitors see of an organization',
        params: OrganizationPath,
        body: HostBody,
        response: { 200: HostProfileAnswer },
      },
    },
    async (request) => {
      const id = readId(request.params.id)
      const changed = await editHost(ledger.db, { id, by: actorOf(request).id, change: readChange(request.body) })
      if (changed === 'slug_taken') throw new SeatwiseError('SLUG_TAKEN')
      return written(id, changed === 'unknown' ? null : changed)
    },
  )
  app.register(async (scope: App) => logoRoutes(scope, services, written))
}

type Written = (id: string, host: HostProfile | null) => HostProfile

function logoRoutes(app: App, { ledger }: BoxOfficeServices, written: Written): void {
  app.addContentTypeParser(TYPES, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const change = async (text: string, by: string, logo: StoredImage | null): Promise<HostProfile> => {
    const id = readId(text)
    return written(id, await setLogo(ledger.db, { id, logo, by }))
  }
  app.put(
    '/api/organizations/:id/logo',
    {
      config,
      bodyLimit: IMAGE_BODY_BYTES,
      schema: {
        tags,
        operationId: 'setLogo',
        summary: 'Give an organization its logo',
        description: 'The body is a JPEG, PNG or WebP file of at most 5 MB. It is served as WebP, without metadata.',
        params: OrganizationPath,
        consumes: TYPES,
        response: { 200: HostProfileAnswer },
      },
    },
    async (request) => {
      if (!Buffer.isBuffer(request.body)) {
        throw new SeatwiseError('UNSUPPORTED_MEDIA_TYPE', { message: `Send the body as ${TYPES.join(', ')}` })
      }
      const logo = await readPicture(request.body, LOGO_SIDE_MAX)
      return await change(request.params.id, actorOf(request).id, logo)
    },
  )
  app.delete(
    '/api/organizations/:id/logo',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteLogo',
        summary: 'Take the logo of an organization away',
        params: OrganizationPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await change(request.params.id, actorOf(request).id, null)
      return reply.code(204).send(null)
    },
  )
}

function readChange({ slug, about, website, colour, face }: Static<typeof HostBody>): HostChange {
  if (slug !== undefined && !isSlug(slug)) {
    throw badField('slug', 'must be small letters from a to z and digits, with single strokes between them')
  }
  return {
    ...(slug === undefined ? {} : { slug }),
    ...(about === undefined ? {} : { about: readWords(about) }),
    ...(website === undefined ? {} : { website: website === null || website === '' ? null : readWebsite(website) }),
    ...(colour === undefined ? {} : { colour: colour?.toLowerCase() ?? null }),
    ...(face === undefined ? {} : { face }),
  }
}

function readWords(text: string): string {
  const plain = text.normalize('NFC').replaceAll('\r\n', '\n')
  if (text.isWellFormed() && !/[\p{Cc}--\n]/v.test(plain)) return plain
  throw badField('about', 'must have no control characters but line breaks')
}

function readWebsite(text: string): string {
  const url = URL.parse(text)
  const isPlain = url !== null && url.protocol === 'https:' && url.username + url.password === ''
  if (isPlain && url.href.length <= HOST_LIMITS.websiteLength) return url.href
  throw badField('website', 'must be an https address without a user name or password in it')
}

function readId(text: string): string {
  if (!isUuid(text)) throw noOrganization()
  return text.toLowerCase()
}

const noOrganization = () => new SeatwiseError('NOT_FOUND', { message: 'There is no such organization' })

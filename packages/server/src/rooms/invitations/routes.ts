import { SeatwiseError } from '@seatwise/domain'
import { joining } from '@seatwise/ledger'
import Type, { type Static } from 'typebox'
import { type App, actorOf, EVENT_BODY_BYTES } from '../../http/index.ts'
import type { Room } from '../room.ts'
import type { RoomServices } from '../room-services.ts'
import type { RoomAddress } from '../routes/room-address.ts'
import { RoomPath } from '../routes/schemas.ts'
import { drawCodes, INVITATIONS_MAX, linesOf, readList } from './read-list.ts'

const tags = ['operate a room']
const strict = { additionalProperties: false }
const CSV = 'text/csv'
const DRAWN_MAX = 1_000

const Kind = Type.Enum(['code', 'address'] as const, { description: 'Codes, or e-mail addresses of accounts' })
const KindQuery = Type.Object({ kind: Kind }, strict)
const Lines = Type.Array(Type.String({ minLength: 1, maxLength: 254 }), { minItems: 1, maxItems: INVITATIONS_MAX })
const ListBody = Type.Object(
  {
    codes: Type.Optional(Lines),
    addresses: Type.Optional(Lines),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: DRAWN_MAX, description: 'Draws so many random codes' })),
  },
  {
    ...{ ...strict, minProperties: 1, maxProperties: 1 },
    examples: [{ addresses: ['ada@example.com', 'grace@example.com'] }],
  },
)
const Added = Type.Object(
  {
    added: Type.Integer({ description: 'How many were not on the list before' }),
    codes: Type.Optional(Type.Array(Type.String(), { description: 'Those that were drawn; shown once' })),
  },
  { examples: [{ added: 2 }] },
)
const Removed = Type.Object({ removed: Type.Integer() }, { examples: [{ removed: 40 }] })
const Counts = Type.Object(
  { items: Type.Array(Type.Object({ kind: Kind, total: Type.Integer(), used: Type.Integer() })) },
  { examples: [{ items: [{ kind: 'code', total: 200, used: 37 }] }] },
)

/** The lists of those who may join a room with `entry: invited`. Only keyed hashes are stored. */
export function invitationRoutes(app: App, services: RoomServices, address: RoomAddress): void {
  const name = address.on === 'event' ? 'Event' : 'Room'
  listRoutes(app, services, address, name)
  jsonRoute(app, services, address, name)
  csvRoute(app, services, address, name)
}

function listRoutes(app: App, { ledger }: RoomServices, { path, on, findAny }: RoomAddress, name: string): void {
  const config = { access: { act: 'codes', on } } as const
  app.get(
    `${path}/invitations`,
    {
      config,
      schema: {
        ...{ tags, operationId: `count${name}Invitations` },
        summary: 'How many codes and addresses are invited',
        description: 'Which they are is not stored, and therefore in no answer.',
        ...{ params: RoomPath, response: { 200: Counts } },
      },
    },
    async (request, reply) => {
      const room = await findAny(request.params.id)
      reply.header('cache-control', 'no-store')
      return { items: await joining.countInvitations(ledger.db, room.id) }
    },
  )
  app.delete(
    `${path}/invitations`,
    {
      config,
      schema: {
        ...{ tags, operationId: `remove${name}Invitations` },
        summary: 'Withdraw the invitations that no visitor has used',
        description: 'Of one kind. Visitors who have joined keep their places, and their codes.',
        ...{ params: RoomPath, querystring: KindQuery, response: { 200: Removed } },
      },
    },
    async (request) => {
      const room = await findAny(request.params.id)
      const removed = await joining.removeInvitations(ledger.db, ofRoom(room, actorOf(request).id), request.query.kind)
      return { removed }
    },
  )
}

function jsonRoute(app: App, services: RoomServices, { path, on, findAny }: RoomAddress, name: string): void {
  app.post(
    `${path}/invitations`,
    {
      config: { access: { act: 'codes', on } },
      bodyLimit: EVENT_BODY_BYTES,
      schema: {
        ...{ tags, operationId: `invite${name}Visitors` },
        summary: 'Invite visitors by code or e-mail address',
        description:
          'For a room with `entry: invited`. A code has at least 8 letters and digits, is good for the first visitor who joins ' +
          'with it (`invitation`), and from then on for that visitor alone. An address lets in the account that has proven it. ' +
          'Both are stored as keyed hashes.',
        ...{ params: RoomPath, body: ListBody, response: { 200: Added } },
      },
    },
    async (request) => {
      const room = await findAny(request.params.id)
      const { addresses, count } = request.body
      const drawn = count === undefined ? null : drawCodes(count)
      const list = addresses ?? request.body.codes ?? drawn ?? []
      const kind = addresses === undefined ? 'code' : 'address'
      const added = await invite(services, room, { kind, list, by: actorOf(request).id })
      return { added, ...(drawn === null ? {} : { codes: drawn }) }
    },
  )
}

function csvRoute(app: App, services: RoomServices, { path, on, findAny }: RoomAddress, name: string): void {
  app.register(async (scope: App) => {
    scope.addContentTypeParser(CSV, { parseAs: 'string' }, (_request, body, done) => done(null, body))
    scope.post(
      `${path}/invitations.csv`,
      {
        config: { access: { act: 'codes', on } },
        bodyLimit: EVENT_BODY_BYTES,
        schema: {
          ...{ tags, operationId: `upload${name}Invitations`, consumes: [CSV] },
          summary: 'Invite visitors by a CSV file',
          description: `The first column of a file of at most 1 MB and ${INVITATIONS_MAX} lines. A first line that names the column is left out.`,
          ...{ params: RoomPath, querystring: KindQuery, response: { 200: Added } },
        },
      },
      async (request) => {
        const room = await findAny(request.params.id)
        const body: unknown = request.body
        if (typeof body !== 'string')
          throw new SeatwiseError('UNSUPPORTED_MEDIA_TYPE', { message: `Send the body as ${CSV}` })
        const { kind }: Static<typeof KindQuery> = request.query
        return { added: await invite(services, room, { kind, list: linesOf(body), by: actorOf(request).id }) }
      },
    )
  })
}

interface Invited {
  readonly kind: joining.InvitationKind
  readonly list: readonly string[]
  readonly by: string
}

async function invite({ ledger, roomTokens }: RoomServices, room: Room, { kind, list, by }: Invited): Promise<number> {
  const { hashes } = roomTokens.entries
  const hashOf = kind === 'address' ? hashes.ofAddress : hashes.ofCode
  const found = readList(kind, list).map((key) => hashOf(room.id, key))
  return await joining.addInvitations(ledger.db, ofRoom(room, by), { kind, hashes: found })
}

function ofRoom(room: Room, by: string): joining.InvitedRoom {
  return { roomId: room.id, eventId: room.row.eventId, by }
}

import { SeatwiseError } from '@seatwise/domain'
import { type Connector, deleteConnector, readConnector } from '@seatwise/ledger'
import Type from 'typebox'
import type { App } from '../../http/index.ts'
import type { RoomServices } from '../room-services.ts'
import { type ConnectorSecrets, createConnectorSecrets } from './connector-secrets.ts'
import { giveConnector } from './give-connector.ts'
import { knownUserEntry } from './known-user-entry.ts'

const tags = ['rooms']
const ACCESS = { act: 'connector', on: 'room' } as const
const path = '/api/rooms/:id/connector'

// Neither `_` nor `~`, which separate the fields of a token.
const Name = Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$', maxLength: 64 })
const Kind = Type.Literal('known-user-v3')
const ConnectorBody = Type.Object(
  {
    kind: Kind,
    customerId: Name,
    eventId: Name,
    secretKey: Type.Optional(
      Type.String({ pattern: '^[!-~]{16,200}$', maxLength: 200, description: 'Made up and shown once when left out' }),
    ),
  },
  { additionalProperties: false },
)
const ConnectorAnswer = Type.Object({ kind: Kind, customerId: Name, eventId: Name })
const SavedAnswer = Type.Object({ ...ConnectorAnswer.properties, secretKey: Type.Optional(Type.String()) })
const RoomPath = Type.Object({ id: Type.String() })

/** Rooms in front of sites that use another vendor's waiting room: its names, its key, its tokens. */
export function connectorRoutes(app: App, services: RoomServices): void {
  const { ledger, rooms } = services
  const keys = createConnectorSecrets(services.secrets, ledger)
  knownUserEntry(app, services, keys)
  savingRoute(app, services, keys)

  app.get(
    path,
    {
      config: { access: ACCESS },
      schema: {
        tags,
        summary: 'A room’s connector, without its key',
        params: RoomPath,
        response: { 200: ConnectorAnswer },
      },
    },
    async (request, reply) => {
      const room = await rooms.byId(request.params.id)
      const connector = await readConnector(ledger.db, { roomId: room.id })
      if (connector === null) throw new SeatwiseError('NOT_FOUND', { message: 'This room has no connector' })
      reply.header('cache-control', 'no-store')
      return describe(connector)
    },
  )

  app.delete(
    path,
    {
      config: { access: ACCESS, fresh: true },
      schema: {
        ...{ tags, summary: 'Take a room’s connector away', params: RoomPath },
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const room = await rooms.byId(request.params.id)
      await deleteConnector(ledger.db, room.id)
      return reply.code(204).send(null)
    },
  )
}

function savingRoute(app: App, services: RoomServices, keys: ConnectorSecrets): void {
  app.put(
    path,
    {
      config: { access: ACCESS, fresh: true },
      schema: {
        tags,
        summary: 'Let a room issue tokens that a vendor’s connector accepts',
        description:
          'Those let in return to the room’s target with `queueittoken` in the query, as that vendor does it.',
        params: RoomPath,
        body: ConnectorBody,
        response: { 200: SavedAnswer },
      },
    },
    async (request, reply) => {
      const room = await services.rooms.byId(request.params.id)
      const { connector, secretKey } = await giveConnector(services, keys, room, request.body)
      reply.header('cache-control', 'no-store')
      return { ...describe(connector), ...(request.body.secretKey === undefined ? { secretKey } : {}) }
    },
  )
}

function describe({ kind, customerId, eventId }: Connector) {
  return { kind, customerId, eventId }
}

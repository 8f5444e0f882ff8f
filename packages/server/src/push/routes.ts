import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { PUSH_CLOSE, SeatwiseError } from '@seatwise/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { BoxOfficeServices } from '../box-office/index.ts'
import { type App, ownOrigin, senderOf } from '../http/index.ts'
import { createProofs, parseLogPosition, type TicketClaims } from '../rooms/index.ts'
import { realtimeAccessRoutes } from './access-route.ts'
import { CHANNELS_MAX, parseClientMessage } from './client-message.ts'
import type { Hub } from './hub.ts'
import type { Realtime } from './realtime.ts'
import { subscribe, tellRefusal, unsubscribe } from './subscribe.ts'
import type { Connection } from './transport/connection.ts'
import { EVENT_STREAM_HEADERS, openEventStream } from './transport/event-stream-wire.ts'
import { WebSocketDoor } from './transport/web-socket-wire.ts'
import type { Wire, WireEvents } from './transport/wire.ts'

/** A client subscribes to a few channels in its life, and may ping: a burst, then one per interval. */
const MESSAGE_MS = 500
const MESSAGES_BURST = 30
const tags = ['push']
const everybody = { access: 'public', lasting: true } as const

const EventsQuery = Type.Object(
  {
    channels: Type.String({
      maxLength: 2_048,
      description: `Names of channels with commas between, ${CHANNELS_MAX} at most`,
    }),
    without: Type.Optional(Type.String({ maxLength: 200, description: 'Types of messages that are of no use to you' })),
    presence: Type.Optional(Type.Boolean()),
    since: Type.Optional(Type.String({ maxLength: 26, description: 'The id of the last event that you have seen' })),
  },
  { additionalProperties: false },
)

/** A WebSocket upgrade request comes with its socket. */
interface Upgrade {
  readonly socket: Duplex
  readonly head: Buffer
}

/**
 * `GET /realtime` and `GET /realtime/sse`. An upgrade request passes the router like any other, with its hooks, limits
 * and refusals, and is only then taken out of it.
 */
export function realtimeRoutes(
  app: App,
  services: BoxOfficeServices,
  { hub, realtime }: { hub: Hub; realtime: Realtime },
): void {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  const door = new WebSocketDoor()
  const proofs = createProofs(services.config, services.roomTokens)
  app.server.on('upgrade', (request, socket, head) => {
    upgrades.set(request, { socket, head })
    routeUpgrade(app, request, socket)
  })
  app.addHook('preClose', () => hub.goAway())
  app.addHook('onClose', async () => {
    await realtime.close()
    await hub.close()
  })
  realtimeAccessRoutes(app, services, realtime)

  app.get(
    '/realtime',
    { config: everybody, schema: { tags, summary: 'Push over WebSocket' } },
    async (request, reply): Promise<FastifyReply> => {
      const upgrade = upgrades.get(request.raw)
      if (upgrade === undefined) throw upgradeRequired(reply)
      requireOwnOrigin(services, request)
      takePlace(services, hub, request, upgrade.socket)
      reply.hijack()
      door.open(request.raw, upgrade.socket, upgrade.head, (wire) => converse(hub, wire, proofs.ticketsOf(request)))
      return reply
    },
  )

  app.get(
    '/realtime/sse',
    { config: everybody, schema: { tags, summary: 'Push as Server-Sent Events', querystring: EventsQuery } },
    async (request, reply): Promise<FastifyReply> => {
      requireOwnOrigin(services, request)
      const { channels, without, presence, since } = request.query
      const position = parseLogPosition(String(request.headers['last-event-id'] ?? since ?? ''))
      const message = parseClientMessage(
        JSON.stringify({
          type: 'subscribe',
          channels: channels.split(','),
          ...(without === undefined ? {} : { without: without.split(',') }),
          ...(presence === undefined ? {} : { presence }),
          ...(position === null ? {} : { since: position }),
        }),
      )
      if (message?.type !== 'subscribe') {
        throw new SeatwiseError('BAD_REQUEST', {
          message: `querystring/channels must name 1 to ${CHANNELS_MAX} channels`,
        })
      }
      takePlace(services, hub, request, request.raw.socket)
      reply.hijack()
      beginEvents(reply)
      openEventStream(reply.raw, (wire) => {
        const connection = hub.connect(wire)
        start(hub, connection, subscribe(hub, connection, message, proofs.ticketsOf(request)))
        return {
          onAlive: () => connection.alive(),
          onMessage: () => undefined,
          onGone: () => hub.disconnect(connection),
        }
      })
      return reply
    },
  )
}

/** The router's answer goes to the socket unless a WebSocket has taken it over, and then the connection ends. */
function routeUpgrade(app: App, request: IncomingMessage, socket: Duplex): void {
  // A client that disconnects in the middle must not end the program.
  socket.on('error', () => undefined)
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  // Node hands over the socket of the connection, which is what a response is written to.
  response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0])
  response.once('finish', () => {
    response.detachSocket(socket as Parameters<ServerResponse['detachSocket']>[0])
    socket.end()
  })
  app.routing(request, response)
}

function upgradeRequired(reply: FastifyReply): SeatwiseError {
  reply.header('upgrade', 'websocket').header('connection', 'upgrade')
  return new SeatwiseError('UPGRADE_REQUIRED')
}

/** Otherwise a page of another site could listen with the visitor's cookie. Programs send no origin. */
function requireOwnOrigin({ config }: BoxOfficeServices, request: FastifyRequest): void {
  const { origin } = request.headers
  if (origin !== undefined && origin !== ownOrigin(config, request)) throw new SeatwiseError('FOREIGN_ORIGIN')
}

/** Takes a connection slot; it is returned when the socket closes, whatever became of the request. */
function takePlace({ lifecycle }: BoxOfficeServices, hub: Hub, request: FastifyRequest, socket: Duplex): void {
  if (lifecycle.stopping) throw new SeatwiseError('UNAVAILABLE', { retryAfterSeconds: 1 })
  const sender = senderOf(request.ip)
  hub.limits.take(sender)
  if (socket.destroyed) hub.limits.release(sender)
  else socket.once('close', () => hub.limits.release(sender))
}

function beginEvents(reply: FastifyReply): void {
  for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...EVENT_STREAM_HEADERS })) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  reply.raw.writeHead(200)
  reply.raw.flushHeaders()
}

/** Handles a client's WebSocket messages one after the other, so that answers keep their order. */
function converse(hub: Hub, wire: Wire, held: readonly TicketClaims[]): WireEvents {
  const connection = hub.connect(wire)
  let allowedFrom = 0
  let turn: Promise<void> = Promise.resolve()
  return {
    onAlive: () => connection.alive(),
    onGone: () => hub.disconnect(connection),
    onMessage(text) {
      if (!connection.isOpen) return
      const message = parseClientMessage(text)
      if (message === null) {
        tellRefusal(connection, { code: 'BAD_MESSAGE' })
        return connection.cut(PUSH_CLOSE.MISBEHAVED, 'not a message')
      }
      const now = hub.services.now()
      // Each channel may need a lookup.
      const cost = 'channels' in message ? Math.max(1, message.channels.length) : 1
      allowedFrom = Math.max(allowedFrom, now) + MESSAGE_MS * cost
      if (allowedFrom - now > MESSAGES_BURST * MESSAGE_MS) {
        connection.cut(PUSH_CLOSE.MISBEHAVED, 'too many messages: poll')
        return
      }
      connection.alive()
      if (message.type === 'ping') return connection.tell({ type: 'PONG' })
      turn = turn.then(async () => {
        if (message.type === 'unsubscribe') unsubscribe(connection, message.channels)
        else await subscribe(hub, connection, message, held)
      })
      start(hub, connection, turn)
    },
  }
}

/** A bug must not bring down the room of the connection: it is logged, and the client polls. */
function start(hub: Hub, connection: Connection, work: Promise<void>): void {
  work.catch((err: unknown) => {
    hub.services.log.error({ err }, 'a push connection failed')
    connection.cut(PUSH_CLOSE.FAILED, 'failed: poll')
  })
}

import { randomBytes, randomUUID } from 'node:crypto'
import type { MemberRole } from '@seatwise/domain'
import { type Ledger, ownOrganizationOf, setMember } from '@seatwise/ledger'
import { connectRedis, type Line, parseRedisUrl, type RedisConnection } from '@seatwise/line'
import { forEachLedger, redisUrl, waitUntil } from '@seatwise/testbench'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll } from 'vitest'
import { openBoxOffice } from '../../src/box-office/box-office.ts'
import { OperationsUnderWay } from '../../src/box-office/operations/under-way.ts'
import { readConfig } from '../../src/config/config.ts'
import { HTTP_LIMITS } from '../../src/http/http-limits.ts'
import type { App } from '../../src/http/http-server.ts'
import { createPasswordHasher } from '../../src/identity/accounts/password-hash.ts'
import { openIdentity } from '../../src/identity/identity.ts'
import { buildApp } from '../../src/main/app.ts'
import type { Services } from '../../src/main/services.ts'
import { createDrawKit } from '../../src/rooms/fair-start/draw-kit.ts'
import { FOLLOWER_LEASE_MS } from '../../src/rooms/log/follow-log.ts'
import { sharedLease } from '../../src/rooms/log/lease.ts'
import { openEmbeddedLine, openSharedLine } from '../../src/rooms/open-line.ts'
import { openRooms } from '../../src/rooms/open-rooms.ts'
import { createRoomMetrics } from '../../src/rooms/room-metrics.ts'
import { openRoomTokens } from '../../src/rooms/tokens/room-tokens.ts'
import { CHEAP, openTestPulse, registerVisitor, registerWithRole, type Visitor } from './accounts.ts'
import { type Answer, shortEvent } from './events.ts'

export interface RoomServerOptions {
  readonly env?: Record<string, string>
  readonly secrets?: readonly Buffer[]
  /** A Redis of the test's own, for tests that stop it or count its commands. */
  readonly redisUrl?: string
}

/** One server's services and routes in this process, with a room host on real stores. */
export interface RoomServer {
  readonly app: App
  readonly services: Services
  readonly ledger: Ledger
  readonly line: Line
  readonly secrets: readonly Buffer[]
  close(): Promise<void>
}

export async function openRoomServer(ledger: Ledger, options: RoomServerOptions = {}): Promise<RoomServer> {
  const secrets = options.secrets ?? [randomBytes(32)]
  const log = pino({ level: 'silent' })
  const now = Date.now
  const identity = await openIdentity({ ledger, secrets, now, passwords: createPasswordHasher(CHEAP) })
  const isEmbedded = ledger.kind === 'pglite'
  const redis = isEmbedded ? null : await connectTestRedis(options.redisUrl ?? redisUrl())
  const line = redis === null ? openEmbeddedLine(ledger, log) : openSharedLine(redis, log)
  const followerLease =
    redis && sharedLease(redis, { name: 'follower', serverId: randomUUID(), leaseMs: FOLLOWER_LEASE_MS })
  const metrics = new Registry()
  const lifecycle = { stopping: false, answering: false }
  const drawKit = createDrawKit(secrets, ledger, readConfig(options.env ?? {}).beacon)
  const rooms = openRooms({
    ...{ ledger, line, log, metrics: createRoomMetrics(metrics), followerLease, now },
    signing: { keys: identity.keys, host: 'localhost' },
    ...{ drawLease: null, drawKit },
    takesHeartbeats: () => lifecycle.answering && !lifecycle.stopping,
  })
  const pulse = openTestPulse(ledger)
  const roomTokens = await openRoomTokens(ledger, secrets, identity.keys, now)
  const underWay = new OperationsUnderWay()
  const boxOffice = openBoxOffice({ ledger, pulse, rooms, log, metrics, now, roomTokens, underWay })
  const services: Services = {
    config: readConfig({ SEATWISE_RATE_LIMITS: 'off', ...options.env }),
    ...{ log, ledger, pulse, redis: null, secrets, identity, now, metrics, rooms, drawKit },
    lifecycle,
    ...{ roomTokens, underWay, boxOffice },
  }
  // A test machine may lag; these tests are about something else than what happens then.
  const app = await buildApp(services, { ...HTTP_LIMITS, lagMs: Number.POSITIVE_INFINITY })
  const close = async (): Promise<void> => {
    await app.close()
    pulse.close()
    await boxOffice.close()
    await rooms.close()
    await line.close()
  }
  return { app, services, ledger, line, secrets, close }
}

async function connectTestRedis(url: string): Promise<RedisConnection> {
  const parsed = parseRedisUrl(url)
  if (parsed.status === 'bad') throw new Error(parsed.problem)
  // Each command that fails rejects by itself.
  return await connectRedis(parsed.target, { onError: () => undefined })
}

/** Runs a suite embedded (in memory and PGlite) and distributed (Redis and PostgreSQL). */
export function forEachMode(name: string, suite: (open: OpenBench) => void): void {
  forEachLedger(name, (openLedger) => {
    const opened: RoomServer[] = []
    afterAll(async () => {
      for (const server of opened) await server.close()
    })
    suite(async (options) => {
      const server = await openRoomServer(await openLedger(), options)
      opened.push(server)
      return await RoomBench.open(server)
    })
  })
}

export type OpenBench = (options?: RoomServerOptions) => Promise<RoomBench>

export interface JoinAnswer {
  ticketToken: string
  ticketId: string
  status: string
  rank: number
  accessToken?: string
  [field: string]: unknown
}

/** A server with an organiser, and helpers for what visitors and operators do. */
export class RoomBench {
  readonly server: RoomServer
  readonly organizer: Visitor
  readonly admin: Visitor

  static async open(server: RoomServer): Promise<RoomBench> {
    const organizer = await registerWithRole(server.app, server.ledger, 'organizer')
    return new RoomBench(server, organizer, await registerWithRole(server.app, server.ledger, 'admin'))
  }

  constructor(server: RoomServer, organizer: Visitor, admin: Visitor) {
    this.server = server
    this.organizer = organizer
    this.admin = admin
  }

  /** A sale that is open now; the address of its room. */
  async sale(room: object = {}, event: object = {}): Promise<string> {
    const window = { salesStartAt: new Date(Date.now() - 60_000), salesEndAt: new Date(Date.now() + 3_600_000) }
    const payload = shortEvent({ totalSeats: 100, ...window, room, ...event })
    const answer = await this.call('POST', '/api/events', { as: this.organizer.authorization, body: payload })
    if (answer.statusCode !== 201) throw new Error(`No event: ${answer.body}`)
    return `/api/events/${answer.json<{ id: string }>().id}`
  }

  /** The organization that owns what the organizer makes. */
  async organizationId(): Promise<string> {
    return await ownOrganizationOf(this.server.ledger.db, this.organizer.id, this.organizer.id)
  }

  /** A new member of that organization. */
  async member(role: MemberRole): Promise<Visitor> {
    const visitor = await registerVisitor(this.server.app)
    const member = { organizationId: await this.organizationId(), userId: visitor.id, role }
    await setMember(this.server.ledger.db, member, this.organizer.id)
    return visitor
  }

  /** An access token as signing in gives it; buyers are not looked up. */
  buyer(name = 'Ada', id: string = randomUUID()): string {
    return `Bearer ${this.server.services.identity.tokens.issue({ id, role: 'buyer', name }).accessToken}`
  }

  async call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, options: CallOptions = {}): Promise<Answer> {
    const headers: Record<string, string> = { ...options.headers }
    if (options.as !== undefined) headers.authorization = options.as
    if (options.ticket !== undefined) headers['seatwise-ticket'] = options.ticket
    if (options.pass !== undefined) headers['seatwise-pass'] = options.pass
    const payload = options.body === undefined ? {} : { payload: options.body }
    return await this.server.app.inject({ method, url, headers, ...payload })
  }

  async join(room: string, as: string | undefined = this.buyer(), body: object = {}): Promise<JoinAnswer> {
    const options = { ...(as === '' ? {} : { as }), body }
    // On a busy machine a new room may take longer to open than a request waits for it: then a client retries.
    const answer = await waitUntil('the room is open', async () => {
      const reply = await this.call('POST', `${room}/queue/join`, options)
      return reply.json<{ code?: string }>().code === 'REBUILDING' ? null : reply
    })
    if (answer.statusCode !== 200) throw new Error(`Could not join: ${answer.body}`)
    return answer.json<JoinAnswer>()
  }

  async status(room: string, ticket: string): Promise<JoinAnswer> {
    return (await this.call('GET', `${room}/queue/status`, { ticket })).json<JoinAnswer>()
  }

  operate(room: string, change: object, as: string = this.organizer.authorization): Promise<Answer> {
    return this.call('PATCH', `${room}/room`, { as, body: change })
  }
}

export interface CallOptions {
  readonly as?: string
  readonly ticket?: string
  readonly pass?: string
  readonly body?: object
  readonly headers?: Record<string, string>
}

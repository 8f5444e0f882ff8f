import { randomBytes } from 'node:crypto'
import { followRole, type Ledger, ping } from '@seatwise/ledger'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { openBoxOffice } from '../../src/box-office/box-office.ts'
import { OperationsUnderWay } from '../../src/box-office/operations/under-way.ts'
import { readConfig } from '../../src/config/config.ts'
import { HTTP_LIMITS } from '../../src/http/http-limits.ts'
import type { App } from '../../src/http/http-server.ts'
import { createPasswordHasher, type PasswordHasher } from '../../src/identity/accounts/password-hash.ts'
import { type Identity, openIdentity } from '../../src/identity/identity.ts'
import { Pulse } from '../../src/kit/pulse.ts'
import { buildApp } from '../../src/main/app.ts'
import type { Services } from '../../src/main/services.ts'
import { createDrawKit } from '../../src/rooms/fair-start/draw-kit.ts'
import { openEmbeddedLine } from '../../src/rooms/open-line.ts'
import { openRooms } from '../../src/rooms/open-rooms.ts'
import { createRoomMetrics } from '../../src/rooms/room-metrics.ts'
import { openRoomTokens } from '../../src/rooms/tokens/room-tokens.ts'

/** So that tests do not spend their time hashing; another test covers the real cost. */
export const CHEAP = { memory: 64, passes: 1, parallelism: 1 } as const

/** A test machine may lag; these tests are about something else than what happens then. */
const PATIENT = { ...HTTP_LIMITS, lagMs: Number.POSITIVE_INFINITY }

export const PASSWORD = 'nine green bottles'

export interface TestServices extends Services {
  readonly clock: { nowMs: number }
}

export interface TestOptions {
  readonly env?: Record<string, string>
  readonly passwords?: PasswordHasher
  readonly secrets?: readonly Buffer[]
  readonly nowMs?: number
  /** For tests of what happens while the ledger is away. */
  readonly pulse?: Pulse
  /** For tests of what happens while the lists of callers cannot be read. */
  readonly identity?: Identity
}

/** Services over a ledger, with a clock that only moves when the test moves it. */
export async function openTestServices(ledger: Ledger, options: TestOptions = {}): Promise<TestServices> {
  const clock = { nowMs: options.nowMs ?? Date.parse('2026-11-15T10:00:00Z') }
  const now = () => clock.nowMs
  const secrets = options.secrets ?? [randomBytes(32)]
  const passwords = options.passwords ?? createPasswordHasher(CHEAP)
  const log = pino({ level: 'silent' })
  const { strongSignIn, openid } = readConfig(options.env ?? {})
  const identity = options.identity ?? (await openIdentity({ ledger, secrets, now, passwords, strongSignIn, openid }))
  const metrics = new Registry()
  const pulse = options.pulse ?? openTestPulse(ledger)
  const roomTokens = await openRoomTokens(ledger, secrets, identity.keys, now)
  const underWay = new OperationsUnderWay()
  const drawKit = createDrawKit(secrets, ledger, readConfig(options.env ?? {}).beacon)
  const rooms = openRooms({
    ledger,
    line: openEmbeddedLine(ledger, log),
    log,
    metrics: createRoomMetrics(new Registry()),
    followerLease: null,
    signing: { keys: identity.keys, host: 'localhost' },
    drawLease: null,
    drawKit,
    now: Date.now,
    takesHeartbeats: () => true,
  })
  return {
    config: readConfig(options.env ?? {}),
    log,
    ledger,
    pulse,
    redis: null,
    secrets,
    identity,
    now,
    lifecycle: { stopping: false, answering: true },
    metrics,
    roomTokens,
    underWay,
    rooms,
    drawKit,
    boxOffice: openBoxOffice({ ledger, pulse, rooms, log, metrics, now: Date.now, roomTokens, underWay }),
    clock,
  }
}

export function openTestPulse(ledger: Ledger): Pulse {
  return new Pulse({ probe: () => ping(ledger.replica), onAway: () => undefined, onReturn: () => undefined })
}

export async function openTestApp(
  ledger: Ledger,
  options: TestOptions = {},
): Promise<{ app: App; services: TestServices }> {
  const services = await openTestServices(ledger, options)
  return { app: await buildApp(services, PATIENT), services }
}

let registered = 0

/** An address that no account has used. */
export function newEmail(): string {
  registered += 1
  return `visitor-${registered}@example.com`
}

export interface Visitor {
  readonly id: string
  readonly email: string
  readonly authorization: string
}

export async function registerVisitor(app: App, email = newEmail()): Promise<Visitor> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { email, password: PASSWORD, name: 'Ada' },
  })
  if (answer.statusCode !== 201) throw new Error(`Could not register: ${answer.body}`)
  const { user, accessToken } = answer.json<{ user: { id: string }; accessToken: string }>()
  return { id: user.id, email, authorization: `Bearer ${accessToken}` }
}

/** A user with a role, as `changeRole` would have made them. */
export async function registerWithRole(
  app: App,
  ledger: Ledger,
  role: 'staff' | 'organizer' | 'admin',
): Promise<Visitor> {
  const { id, email } = await registerVisitor(app)
  await ledger.db.transaction().execute(async (transaction) => {
    await transaction.updateTable('users').set({ role }).where('id', '=', id).execute()
    await followRole(transaction, { userId: id, before: 'buyer', role, by: id })
  })
  return { id, email, authorization: await signInHeader(app, email) }
}

export async function signInHeader(app: App, email: string, password = PASSWORD): Promise<string> {
  const answer = await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } })
  return `Bearer ${answer.json<{ accessToken: string }>().accessToken}`
}

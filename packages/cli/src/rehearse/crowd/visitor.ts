import { randomUUID } from 'node:crypto'
import type { ClientRecord } from '@seatwise/checker'
import type { Action } from '../measure/measurements.ts'
import type { Sale } from '../sale/sale.ts'
import { type Asked, ask, type Body, type Call, type Reply, type World } from './caller.ts'
import { solveChallenge } from './solve-challenge.ts'

export interface VisitorOptions {
  readonly world: World
  readonly sale: Sale
  readonly name: string
  readonly random: () => number
  /** Null: the server makes a guest of them. */
  readonly accessToken: string | null
  /** Whether every position they are shown is written down; of the others, only what they do. */
  readonly isWatched: boolean
}

export interface Standing {
  readonly status: NonNullable<ClientRecord['state']>
  readonly reason: string | null
  readonly pollAfterMs: number
}

/** One person's browser: what it holds, and the calls it can make. */
export class Visitor {
  readonly #options: VisitorOptions
  readonly #queue: string
  /** Who they are to the ledger. */
  #identity: string
  #accessToken: string | null
  #ticketToken = ''
  #ticket: number | undefined
  #pass: string | null = null
  #mayHaveEnded = false

  constructor(options: VisitorOptions) {
    this.#options = options
    this.#queue = `/api/events/${options.sale.eventId}/queue`
    this.#accessToken = options.accessToken
    this.#identity = options.accessToken === null ? options.name : subjectOf(options.accessToken)
  }

  get ticket(): number | undefined {
    return this.#ticket
  }

  /** Whether the ticket is known to be one that waits: only then joining again must give the same. */
  get isWaiting(): boolean {
    return this.#ticket !== undefined && !this.#mayHaveEnded
  }

  get hasPass(): boolean {
    return this.#pass !== null
  }

  /** A ticket, or why there is none. */
  async join(): Promise<Asked> {
    let reply = await this.#askToJoin({})
    if (reply.kind === 'refused' && reply.code === 'CHALLENGE_REQUIRED') {
      const proof = await solveChallenge(reply.body.challenge)
      if (proof !== null) reply = await this.#askToJoin({ proof })
    }
    if (reply.kind !== 'ok') return reply
    const { ticketToken, accessToken, ticketId } = reply.body
    this.#ticketToken = String(ticketToken)
    this.#ticket = ticketIn(String(ticketId))
    if (typeof accessToken === 'string') {
      this.#accessToken = accessToken
      this.#identity = subjectOf(accessToken)
    }
    this.#notePass(reply.body)
    return reply
  }

  #askToJoin(body: Body): Promise<Asked> {
    return this.#call('join', {
      ...{ method: 'POST', path: `${this.#queue}/join`, headers: this.#authorization(), body },
      record: { action: 'join', operation: `join ${randomUUID()}` },
    })
  }

  /** How things stand; null when there was no answer. */
  async look(): Promise<Standing | null> {
    const reply = await this.#call('poll', {
      ...{ method: 'GET', path: `${this.#queue}/status`, headers: this.#holder() },
      record: this.#options.isWatched ? { action: 'status', read: true } : null,
    })
    if (reply.kind !== 'ok') return null
    this.#notePass(reply.body)
    const standing = standingIn(reply.body)
    if (standing.status !== 'waiting') this.#mayHaveEnded = true
    return standing
  }

  async enter(): Promise<boolean> {
    const reply = await this.#call('enter', {
      ...{ method: 'POST', path: `${this.#queue}/claim`, headers: this.#holder() },
      record: { action: 'enter', operation: `enter ${randomUUID()}` },
    })
    if (reply.kind === 'ok') this.#notePass(reply.body)
    return reply.kind === 'ok'
  }

  async leave(): Promise<void> {
    this.#mayHaveEnded = true
    await this.#call('leave', {
      ...{ method: 'DELETE', path: this.#queue, headers: this.#holder() },
      record: { action: 'leave', operation: `leave ${randomUUID()}` },
    })
  }

  /** Asks for seats of a type. A visitor without a pass can try as well. */
  async reserve(seatTypeId: string, quantity: number, pass: string | null = this.#pass): Promise<Reply> {
    const key = randomUUID()
    const fence = pass === null || pass !== this.#pass ? {} : { fence: fenceIn(pass), isProtected: true }
    const headers = pass === null ? '' : `Seatwise-Pass: ${pass}\r\n`
    const reply = await this.#call('reserve', {
      ...{ method: 'POST', path: `/api/events/${this.#options.sale.eventId}/reservations` },
      headers: `${this.#authorization()}${headers}Idempotency-Key: ${key}\r\n`,
      body: { seatTypeId, quantity },
      record: { action: 'reserve', operation: key, ...fence },
    })
    return await this.#found(key, 'reserve', reply)
  }

  async pay(reservationId: string, paymentMethod: string): Promise<Reply> {
    if (this.#options.accessToken === null) await this.#sayEmail(reservationId)
    const key = randomUUID()
    const reply = await this.#call('pay', {
      ...{ method: 'POST', path: '/api/purchases' },
      headers: `${this.#authorization()}Idempotency-Key: ${key}\r\n`,
      body: this.#options.sale.isFree ? { reservationId } : { reservationId, paymentMethod },
      record: { action: 'purchase', operation: key },
    })
    if (reply.kind === 'ok' && reply.status === 202) return await this.#untilPaid(key)
    return await this.#found(key, 'purchase', reply)
  }

  /** A guest says where the e-tickets go. The domain is reserved for examples: no mail can reach a person. */
  async #sayEmail(reservationId: string): Promise<void> {
    await this.#call('ask', {
      ...{ method: 'PATCH', path: `/api/reservations/${reservationId}`, headers: this.#authorization() },
      body: { email: 'visitor@rehearsal.example' },
      record: null,
    })
  }

  async cancel(reservationId: string): Promise<void> {
    await this.#call('leave', {
      ...{ method: 'DELETE', path: `/api/reservations/${reservationId}`, headers: this.#authorization() },
      record: null,
    })
  }

  /** After an attempt without an answer: asks for its outcome, so that no hold or payment goes unnoticed. */
  async #found(key: string, action: 'reserve' | 'purchase', reply: Reply): Promise<Reply> {
    if (reply.kind === 'ok' || (reply.kind === 'refused' && !reply.isDoubted)) return reply
    const { world } = this.#options
    let found = await this.#ask(key, action)
    for (let attempt = 1; found.kind === 'unanswered' && attempt < ASKED_MAX && !world.isOver; attempt += 1) {
      await world.wheel.sleep(ASK_AGAIN_MS)
      found = await this.#ask(key, action)
    }
    if (found.kind !== 'ok' || typeof found.body.result !== 'object' || found.body.result === null) return reply
    return { kind: 'ok', status: 200, body: { ...found.body.result } }
  }

  async #untilPaid(key: string): Promise<Reply> {
    const { world } = this.#options
    for (let attempt = 0; attempt < ASKED_MAX && !world.isOver; attempt += 1) {
      await world.wheel.sleep(ASK_AGAIN_MS)
      const found = await this.#ask(key, 'purchase')
      if (found.kind === 'ok' && found.body.status === 'done' && isObject(found.body.result)) {
        return { kind: 'ok', status: 201, body: { ...found.body.result } }
      }
    }
    return { kind: 'unanswered', retryMs: null }
  }

  async #ask(key: string, action: 'reserve' | 'purchase'): Promise<Reply> {
    const { world, name, random } = this.#options
    const about = { action: `ask for ${action}`, operation: key, identity: this.#identity }
    const reply = await ask(
      world,
      {
        ...{ action: 'ask', client: name, method: 'GET', path: `/api/operations/${key}` },
        ...{ headers: this.#authorization(), record: { ...about } },
        told: ({ status, result }) => (status === 'done' && isObject(result) ? { effect: String(result.id) } : {}),
      },
      random,
    )
    if (reply.kind === 'refused' && reply.status === 404) {
      const call = world.recorder.nextCall()
      const record = { ...about, record: 'client', client: name, call, effect: null } as const
      world.recorder.write({ ...record, phase: 'ok', monotonicMs: performance.now() })
    }
    return reply
  }

  #call(action: Action, call: Omit<Call, 'action' | 'client' | 'told'>): Promise<Asked> {
    const { world, name, random } = this.#options
    const record = call.record === null ? null : { ...this.#about(call.record), ...call.record }
    const told = (body: Body): Partial<ClientRecord> => tell(world, record?.action ?? '', body)
    return ask(world, { ...call, action, client: name, record, told }, random)
  }

  #about({ action }: { action: string }): Partial<ClientRecord> {
    const { sale } = this.#options
    return {
      ...{ identity: this.#identity, event: sale.eventId },
      ...(action === 'purchase' ? {} : { room: sale.roomId }),
      ...(this.#ticket === undefined ? {} : { ticket: this.#ticket }),
    }
  }

  #authorization(): string {
    return this.#accessToken === null ? '' : `Authorization: Bearer ${this.#accessToken}\r\n`
  }

  #holder(): string {
    return `Seatwise-Ticket: ${this.#ticketToken}\r\n`
  }

  #notePass({ activeToken }: Body): void {
    if (typeof activeToken === 'string') this.#pass = activeToken
  }
}

/** An unanswered call is asked about for two minutes; then its outcome is unknown, and the ledger decides. */
const ASK_AGAIN_MS = 1_000
const ASKED_MAX = 120

export function standingIn(body: Body): Standing {
  return {
    // The wire contract says what these are.
    status: body.status as Standing['status'],
    reason: typeof body.reason === 'string' ? body.reason : null,
    pollAfterMs: Number(body.pollAfterMs),
  }
}

/** What an answer says, in the checker's words. */
function tell(world: World, action: string, body: Body): Partial<ClientRecord> {
  if (action === 'reserve') return { effect: String(body.id) }
  if (action === 'purchase') {
    const items = isObject(body.reservation) ? body.reservation.items : undefined
    const seats = Array.isArray(items) ? items.map((item: { seatId: string }) => item.seatId) : []
    return body.status === 'PAID' ? { effect: String(body.id), seats } : {}
  }
  if (action === 'leave') return { state: 'expired' }
  if (action === 'join') learnClock(world, body)
  const fence = typeof body.activeToken === 'string' ? { fence: fenceIn(body.activeToken) } : {}
  if (typeof body.ticketId !== 'string') return fence
  // A guest hears from the answer who they are.
  const guest = typeof body.accessToken === 'string' ? { identity: subjectOf(body.accessToken) } : {}
  return { ...fence, ...guest, ...standingTold(world, body), ticket: ticketIn(body.ticketId) }
}

/** A ticket was drawn before its answer came, so the room's clock is at least so far ahead of ours. */
function learnClock(world: World, { joinedAt }: Body): void {
  world.clockOffsetMs = Math.max(world.clockOffsetMs, Date.parse(String(joinedAt)) - Date.now())
}

function standingTold(world: World, body: Body): Partial<ClientRecord> {
  const eta = isObject(body.eta) ? body.eta : {}
  const { p50, p90 } = eta
  return {
    ...{ state: standingIn(body).status, place: Number(body.place), epoch: Number(body.epoch), seq: Number(body.seq) },
    ...(typeof body.rank === 'number' ? { rank: body.rank, exact: body.exact === true } : {}),
    ...(body.status === 'waiting' ? { atMs: Date.now() + world.clockOffsetMs } : {}),
    ...(typeof p50 === 'number' && typeof p90 === 'number'
      ? { expectedMs: p50 * 1_000, expectedMsMax: p90 * 1_000 }
      : {}),
  }
}

/** The number of a ticket in its public name. */
function ticketIn(ticketId: string): number {
  return Number.parseInt(ticketId.slice('tkt_'.length + 8), 36)
}

function fenceIn(pass: string): number {
  return Number(claimsIn(pass).fence)
}

function subjectOf(accessToken: string): string {
  return String(claimsIn(accessToken).sub)
}

/** Read without checking anything: the server checks. */
function claimsIn(token: string): Readonly<Record<string, unknown>> {
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return isObject(claims) ? claims : {}
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

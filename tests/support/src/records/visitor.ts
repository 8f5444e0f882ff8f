import { hash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientRecord } from '@seatwise/checker'
import type { History } from './history.ts'
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts'

export interface VisitorOptions {
  readonly name: string
  readonly accessToken: string
  /** The servers of one system; every call goes to any of them, as behind a load balancer. */
  readonly servers: readonly string[]
  readonly roomId: string
  readonly http: HttpClient
  readonly history: History
  readonly random: () => number
  /** Gives up after so many attempts of one call. */
  readonly attemptsMax?: number
  /** How long to wait between attempts. */
  readonly retryMs?: number
}

export interface Standing {
  readonly status: NonNullable<ClientRecord['state']>
  readonly ticket: number
  readonly rank: number | null
  readonly place: number
  readonly epoch: number
  readonly seq: number
  readonly exact: boolean
  readonly away: boolean
  readonly reason: string | null
  readonly pollAfterMs: number
}

/** A call that was answered with a refusal. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly code: string
  constructor(action: string, { status, body }: HttpAnswer) {
    super(`${action} was refused: ${status} ${JSON.stringify(body)}`)
    this.status = status
    this.code = String(body.code)
  }
}

/** Some minutes: on a busy machine a server that dies again and again is away for one. */
const ATTEMPTS_MAX = 2_000
const RETRY_MS = 100

/** A visitor with a browser: asks, asks again when no answer comes, and records the answers. */
export class Visitor {
  readonly #options: VisitorOptions
  ticketToken: string | null = null
  ticket: number | null = null
  pass: string | null = null

  constructor(options: VisitorOptions) {
    this.#options = options
  }

  get name(): string {
    return this.#options.name
  }

  /** Who they are in all records, and to the ledger. */
  get identity(): string {
    return String(claimsIn(this.#options.accessToken).sub)
  }

  /** The fence of the pass they have. */
  get fence(): number | undefined {
    return this.pass === null ? undefined : fenceIn(this.pass)
  }

  get accessToken(): string {
    return this.#options.accessToken
  }

  async join(): Promise<Standing> {
    const headers = { authorization: `Bearer ${this.#options.accessToken}` }
    const answer = await this.#call('join', { method: 'POST', path: '/queue/join', headers, body: {} })
    this.ticketToken = String(answer.body.ticketToken)
    const standing = standingIn(answer)
    this.ticket = standing.ticket
    return standing
  }

  async look(): Promise<Standing> {
    const answer = await this.#call('status', { method: 'GET', path: '/queue/status', headers: this.#holder() })
    if (typeof answer.body.activeToken === 'string') this.pass = answer.body.activeToken
    return standingIn(answer)
  }

  async enter(): Promise<void> {
    const answer = await this.#call('enter', { method: 'POST', path: '/queue/claim', headers: this.#holder() })
    this.pass = String(answer.body.activeToken)
  }

  /** With the pass: a call that needs an admission. If its answer is lost, the ticket tells whether it was done. */
  async complete(): Promise<void> {
    if (this.pass === null) throw new Error(`${this.name} has no pass`)
    try {
      await this.#call('complete', { method: 'POST', path: '/queue/complete', headers: { 'seatwise-pass': this.pass } })
    } catch (error) {
      const isOver =
        error instanceof Refused && error.code === 'NOT_ACTIVE' && (await this.look()).status === 'completed'
      if (!isOver) throw error
    }
  }

  async leave(): Promise<void> {
    await this.#call('leave', { method: 'DELETE', path: '/queue', headers: this.#holder() })
  }

  #holder(): Record<string, string> {
    if (this.ticketToken === null) throw new Error(`${this.name} holds no ticket`)
    return { 'seatwise-ticket': this.ticketToken }
  }

  async #call(action: string, request: Omit<HttpRequest, 'url'> & { path: string }): Promise<HttpAnswer> {
    const { servers, roomId, random, attemptsMax = ATTEMPTS_MAX, retryMs = RETRY_MS } = this.#options
    const operation = `${action} of ${this.name} ${Math.floor(random() * 2 ** 48).toString(36)}`
    for (let attempt = 1; ; attempt += 1) {
      const server = servers[Math.floor(random() * servers.length)] ?? ''
      const { path, ...rest } = request
      const answer = await this.#attempt(action, operation, { ...rest, url: `${server}/api/rooms/${roomId}${path}` })
      if (answer !== null) return answer
      if (attempt >= attemptsMax) throw new Error(`${this.name} got no answer to ${action} in ${attempt} attempts`)
      await delay(retryMs * (0.5 + random()))
    }
  }

  /** One attempt; null when it is unknown whether it was applied, or the server asks to come back. */
  async #attempt(action: string, operation: string, request: HttpRequest): Promise<HttpAnswer | null> {
    const { history, http, name, roomId } = this.#options
    const fence = request.headers?.['seatwise-pass'] === this.pass ? this.fence : undefined
    const call = history.begin(name, action, {
      ...{ room: roomId, operation, identity: this.identity, read: action === 'status' },
      ...(this.ticket === null ? {} : { ticket: this.ticket }),
      ...(fence === undefined ? {} : { fence, isProtected: true }),
    })
    let answer: HttpAnswer
    try {
      answer = await http.send(request)
    } catch {
      call.info()
      return null
    }
    if (answer.status === 503 || answer.status === 429) {
      call.info()
      return null
    }
    if (answer.status >= 300) {
      call.fail()
      throw new Refused(action, answer)
    }
    call.ok({ ...told(answer, this.ticket, action), secrets: secretsIn(answer.body) })
    return answer
  }
}

function told({ body }: HttpAnswer, ticket: number | null, action: string): Partial<ClientRecord> {
  const pass = typeof body.activeToken === 'string' ? { fence: fenceIn(body.activeToken) } : {}
  if (typeof body.ticketId !== 'string') {
    const ended =
      action === 'complete' ? { state: 'completed' as const } : action === 'leave' ? { state: 'expired' as const } : {}
    return { ...(ticket === null ? {} : { ticket }), ...ended, ...pass }
  }
  const { rank, place, epoch, seq, status, exact } = standingIn({ status: 200, retryAfterMs: null, body })
  const position = rank === null ? {} : { rank }
  return { ticket: ticketIn(body.ticketId), state: status, place, epoch, seq, exact, ...position, ...pass }
}

function standingIn({ body }: HttpAnswer): Standing {
  return {
    // The server's schema says what these are.
    status: body.status as Standing['status'],
    ticket: ticketIn(String(body.ticketId)),
    rank: body.rank === null ? null : Number(body.rank),
    place: Number(body.place),
    epoch: Number(body.epoch),
    seq: Number(body.seq),
    exact: body.exact === true,
    away: body.away === true,
    reason: typeof body.reason === 'string' ? body.reason : null,
    pollAfterMs: Number(body.pollAfterMs),
  }
}

/** The number of a ticket in its public name. */
function ticketIn(ticketId: string): number {
  return Number.parseInt(ticketId.slice('tkt_'.length + 8), 36)
}

/** Fingerprints of the secrets in an answer: records are there to be looked at. */
export function secretsIn({ ticketToken, activeToken, etickets }: HttpAnswer['body']): string[] {
  const codes = Array.isArray(etickets) ? etickets.map(({ code }: { code: string }) => code) : []
  return [ticketToken, activeToken, ...codes]
    .filter((secret) => typeof secret === 'string')
    .map((secret) => hash('sha256', secret, 'base64url').slice(0, 16))
}

function fenceIn(pass: string): number {
  const { fence } = claimsIn(pass)
  if (typeof fence !== 'number') throw new Error('A pass has no fence')
  return fence
}

/** What a token says, read without checking anything: the server checks. */
function claimsIn(token: string): Readonly<Record<string, unknown>> {
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return typeof claims === 'object' && claims !== null ? { ...claims } : {}
}

import { createGuard, type Guard, type GuardOptions, type GuardRequest, type Verdict } from '../src/index.ts'

export const ROOM = '0198f2a1-1111-7222-8333-444455556666'
export const ROOM_URL = 'https://queue.example.com'
export const SITE = 'https://shop.example.com'
export const SECRET = btoa('a secret of the guard, long enough for it')

interface Claims {
  [name: string]: unknown
}

const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const encodeJson = (value: object): string => encode(new TextEncoder().encode(JSON.stringify(value)))

/** A key as rooms have them. */
export class RoomKey {
  readonly kid: string
  readonly #pair: CryptoKeyPair

  static async make(kid: string): Promise<RoomKey> {
    return new RoomKey(kid, await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']))
  }

  constructor(kid: string, pair: CryptoKeyPair) {
    this.kid = kid
    this.#pair = pair
  }

  async jwk(): Promise<object> {
    const { x } = await crypto.subtle.exportKey('jwk', this.#pair.publicKey)
    return { kty: 'OKP', crv: 'Ed25519', x, kid: this.kid, use: 'sig', alg: 'EdDSA' }
  }

  async sign(header: Claims, payload: Claims): Promise<string> {
    const text = `${encodeJson(header)}.${encodeJson(payload)}`
    const signature = await crypto.subtle.sign('Ed25519', this.#pair.privateKey, new TextEncoder().encode(text))
    return `${text}.${encode(new Uint8Array(signature))}`
  }
}

/** What a guard calls, in the shapes of the room's contract, under a clock of the test's own; counts the calls. */
export class RoomStandIn {
  now = 1_800_000_000_000
  key: RoomKey
  published: RoomKey[]
  readonly calls: string[] = []
  readonly completed: string[] = []
  revoked: { ticketId: string; fence: number; until: string }[] = []
  /** How many calls from now on get no answer. */
  away = 0

  static async open(): Promise<RoomStandIn> {
    return new RoomStandIn(await RoomKey.make('first'))
  }

  constructor(key: RoomKey) {
    this.key = key
    this.published = [key]
  }

  guard(options: Partial<GuardOptions> = {}): Guard {
    return createGuard({
      ...{ roomUrl: ROOM_URL, room: ROOM, site: SITE, failOpen: false, secret: SECRET },
      ...{ fetch: this.fetch, now: () => this.now, onProblem: () => undefined },
      ...options,
    })
  }

  readonly fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input))
    this.calls.push(url.pathname.split('/').at(-1) ?? '')
    if (this.away > 0) {
      this.away -= 1
      throw new TypeError('fetch failed')
    }
    if (url.pathname === '/.well-known/jwks.json') {
      return Response.json({ keys: await Promise.all(this.published.map((key) => key.jwk())) })
    }
    if (url.pathname === `/api/rooms/${ROOM}/queue/revoked`) {
      const since = Number(url.searchParams.get('since')?.split('-').at(-1))
      const items = this.revoked.slice(since, since + 1_000)
      return Response.json({ items, since: `1-${since + items.length}` })
    }
    if (url.pathname === `/api/rooms/${ROOM}/queue/complete` && init.method === 'POST') {
      this.completed.push(new Headers(init.headers).get('seatwise-pass') ?? '')
      return Response.json({ status: 'completed' })
    }
    return new Response('nothing here', { status: 404 })
  }

  async pass(payload: Claims = {}, header: Claims = {}, key = this.key): Promise<string> {
    const claims = { iss: 'seatwise', aud: ROOM, sub: 'tkt_0198f2a11', fence: 7, exp: this.now / 1_000 + 300, num: 1 }
    return await key.sign(
      { alg: 'EdDSA', typ: 'seatwise-pass+jwt', kid: key.kid, ...header },
      { ...claims, ...payload },
    )
  }
}

/** A request of a browser that opens a page, unless said otherwise. */
export function browse(url: string, more: Partial<GuardRequest> = {}): GuardRequest {
  return {
    ...{ method: 'GET', url, cookie: undefined, accept: 'text/html', fetchMode: 'navigate', origin: undefined },
    ...{ address: undefined, header: () => undefined },
    readBody: async () => '',
    ...more,
  }
}

export function enterWith(pass: string, to = '/', more: Partial<GuardRequest> = {}): GuardRequest {
  const form = new URLSearchParams({ pass, to }).toString()
  return browse('/.seatwise/enter', { method: 'POST', origin: ROOM_URL, readBody: async () => form, ...more })
}

/** What the guard answered itself. */
export function answerOf(verdict: Verdict): { status: number; header: (name: string) => string; body: string } {
  if (verdict.kind !== 'answer') throw new Error(`The guard let a visitor in: ${verdict.why}`)
  const { status, headers, body } = verdict.answer
  return { status, body, header: (name) => headers.find(([key]) => key === name)?.[1] ?? '' }
}

/** Enters, and gives the Cookie header that a browser would send from then on. */
export async function enter(guard: Guard, pass: string): Promise<string> {
  const answer = answerOf(await guard.check(enterWith(pass)))
  if (answer.status !== 303) throw new Error(`Not let in: ${answer.status} ${answer.body}`)
  return answer.header('set-cookie').split(';', 1)[0] ?? ''
}

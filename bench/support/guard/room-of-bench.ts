import { createGuard, type Guard, type GuardRequest } from '@seatwise/guard'

const ROOM = '0198f2a1-1111-7222-8333-444455556666'
const ROOM_URL = 'http://queue.example.com'
const SITE = 'http://shop.example.com'

/** A guard with a room that answers at once: nothing that is measured calls the room. */
export interface GuardOfBench {
  readonly guard: Guard
  /** Another process of the same site: it has seen none of the sessions. */
  stranger(): Guard
  pass(ticket: string): Promise<string>
  enter(pass: string): Promise<string>
}

export async function openGuard(): Promise<GuardOfBench> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  const { x } = await crypto.subtle.exportKey('jwk', publicKey)
  const keys = { keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid: 'bench' }] }
  const secret = Buffer.from('what signs the sessions of the bench').toString('base64')
  const open = (): Guard =>
    createGuard({
      ...{ roomUrl: ROOM_URL, room: ROOM, site: SITE, failOpen: false, secret },
      fetch: async (url) => Response.json(String(url).endsWith('jwks.json') ? keys : { items: [], since: '1-0' }),
    })
  const guard = open()
  return {
    guard,
    stranger: open,
    async pass(ticket) {
      const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
      const exp = Math.floor(Date.now() / 1_000) + 3_600
      const claims = { iss: 'seatwise', aud: ROOM, sub: ticket, fence: 7, exp, num: 1, mac: 'x'.repeat(22) }
      const text = `${encode({ alg: 'EdDSA', typ: 'seatwise-pass+jwt', kid: 'bench' })}.${encode(claims)}`
      const signature = await crypto.subtle.sign('Ed25519', privateKey, Buffer.from(text))
      return `${text}.${Buffer.from(signature).toString('base64url')}`
    },
    async enter(pass) {
      const verdict = await guard.check(enterRequest(pass))
      const headers = verdict.kind === 'answer' ? verdict.answer.headers : []
      return headers.find(([name]) => name === 'set-cookie')?.[1].split(';', 1)[0] ?? ''
    },
  }
}

export function enterRequest(pass: string): GuardRequest {
  const form = new URLSearchParams({ pass, to: '/' }).toString()
  return { ...pageRequest(undefined), method: 'POST', url: '/.seatwise/enter', readBody: async () => form }
}

export function pageRequest(cookie: string | undefined): GuardRequest {
  const common = { method: 'GET', url: '/drop', accept: 'text/html', fetchMode: 'navigate', origin: undefined }
  return { ...common, cookie, address: undefined, header: () => undefined, readBody: async () => '' }
}

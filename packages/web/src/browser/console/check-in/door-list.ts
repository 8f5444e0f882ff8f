import {
  DOOR_LIST_PREFIX,
  type DoorPage,
  type EticketClaims,
  type ListedTicket,
  type SignedDoorPage,
  splitEticketCode,
} from '@seatwise/domain'
import { call } from '../kit/api.ts'
import type { KeptList, PublicKey } from './door-store.ts'

/** The e-tickets of the event as the ledger knew them at one time, each page verified. */
export interface DoorList {
  /** When the oldest page was written. */
  readonly at: string
  readonly tickets: ReadonlyMap<string, ListedTicket>
  readonly byShortCode: ReadonlyMap<string, ListedTicket>
  /** What a code says; null unless this site signed it. */
  readCode(code: string): Promise<EticketClaims | null>
}

/** The list was not signed by this site. */
export class BadList extends Error {
  override readonly name = 'BadList'
}

/** Signatures are verified by the browser, which does so only on pages that came by https or from the same machine. */
export const canVerify = (): boolean => globalThis.crypto?.subtle !== undefined && globalThis.indexedDB !== undefined

/** Reads the whole list, page by page; no event has more e-tickets than its seats, and each page brings the next ones. */
export async function fetchList(eventId: string): Promise<KeptList> {
  const { keys } = await call<{ keys: PublicKey[] }>('GET', '/.well-known/jwks.json')
  const pages: SignedDoorPage[] = []
  let after: string | null = null
  do {
    const query: string = after === null ? '' : `?after=${after}`
    const signed: SignedDoorPage = await call('GET', `/api/events/${eventId}/door-list${query}`)
    const { next } = JSON.parse(signed.page) as DoorPage
    if (next !== null && after !== null && next <= after)
      throw new BadList('The pages of the list do not follow each other')
    pages.push(signed)
    after = next
  } while (after !== null)
  return { eventId, keys: keys.map(({ kid, x }) => ({ kid, x })), pages, keptAt: Date.now() }
}

export async function readList({ eventId, keys, pages }: KeptList): Promise<DoorList> {
  const known = await Promise.all(keys.map(async ({ kid, x }) => ({ kid, key: await importKey(x) })))
  const tickets = new Map<string, ListedTicket>()
  const times: string[] = []
  for (const { page, kid, signature } of pages) {
    const key = known.find((one) => one.kid === kid)?.key
    const text = new TextEncoder().encode(DOOR_LIST_PREFIX + page)
    if (key === undefined || !(await verify(key, fromBase64Url(signature), text)))
      throw new BadList('A page is not ours')
    const content = JSON.parse(page) as DoorPage
    if (content.eventId !== eventId) throw new BadList('A page is of another event')
    times.push(content.at)
    for (const ticket of content.tickets) tickets.set(ticket.id, ticket)
  }
  return {
    at: times.sort()[0] ?? '',
    tickets,
    byShortCode: new Map([...tickets.values()].map((ticket) => [ticket.shortCode, ticket])),
    async readCode(code) {
      const read = splitEticketCode(code)
      if (read === null) return null
      const start = toBase64Url(read.key)
      const key = known.find(({ kid }) => kid.startsWith(start))?.key
      return key !== undefined && (await verify(key, read.signature, read.signed)) ? read.claims : null
    },
  }
}

const ED25519 = { name: 'Ed25519' }

const importKey = (x: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x }, ED25519, false, ['verify'])

const verify = (key: CryptoKey, signature: BufferSource, signed: BufferSource): Promise<boolean> =>
  crypto.subtle.verify(ED25519, key, signature, signed)

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (symbol) => symbol.charCodeAt(0))
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type HeadJson, type JwkJson, leafOf, nodeOf, proofOf, type ReceiptJson, signHead } from '@seatwise/testbench'

/** What an operator who controls server and key shows to the world. */
export interface Shown {
  readonly texts: readonly string[]
  readonly head: HeadJson
  readonly keys: readonly JwkJson[]
  readonly proof: (index: number, size: number) => string[]
  readonly consistency: (from: number, to: number) => string[]
  /** What it says of its draw; nothing in a log without one. */
  readonly draw?: object
}

/** A log with a key of its own: everything about it can be forged consistently. */
export class ForgedLog {
  readonly origin: string
  readonly jwk: JwkJson
  readonly #key: KeyObject
  readonly texts: readonly string[]
  /** Of every subtree that was asked for: a long log is proven again and again. */
  readonly #roots = new Map<string, string>()

  constructor(texts: readonly string[], roomId: string, by?: ForgedLog) {
    this.texts = texts
    this.origin = `localhost/rooms/${roomId}`
    const pair = generateKeyPairSync('ed25519')
    const { x = '' } = pair.publicKey.export({ format: 'jwk' })
    this.jwk = by?.jwk ?? { kid: createHash('sha256').update(x).digest('base64url'), x }
    this.#key = by === undefined ? pair.privateKey : by.#key
  }

  /** The same operator signs other entries. */
  with(texts: readonly string[]): ForgedLog {
    return new ForgedLog(texts, this.origin.split('/').at(-1) ?? '', this)
  }

  #root(from: number, to: number): string {
    const key = `${from}-${to}`
    const known = this.#roots.get(key)
    if (known !== undefined) return known
    const split = from + splitOf(to - from)
    const root =
      to - from <= 1 ? leafOf(this.texts[from] ?? '') : nodeOf(this.#root(from, split), this.#root(split, to))
    this.#roots.set(key, root)
    return root
  }

  /** PATH of RFC 6962, 2.1.1. */
  #path(index: number, from: number, to: number): string[] {
    if (to - from <= 1) return []
    const split = from + splitOf(to - from)
    return index < split
      ? [...this.#path(index, from, split), this.#root(split, to)]
      : [...this.#path(index, split, to), this.#root(from, split)]
  }

  head(size = this.texts.length, origin = this.origin): HeadJson {
    return signHead({ origin, size, root: this.#root(0, size) }, { jwk: this.jwk, key: this.#key })
  }

  receipt(index: number, size = this.texts.length): ReceiptJson {
    const hashes = this.#path(index, 0, size)
    return { entry: this.texts[index] ?? '', index, head: this.head(size), proof: { hashes } }
  }

  shown(): Shown {
    return {
      texts: this.texts,
      head: this.head(),
      keys: [this.jwk],
      proof: (index, size) => this.#path(index, 0, size),
      consistency: (from, to) => proofOf(from, this.texts.slice(0, to).map(leafOf)),
    }
  }
}

/** The largest power of two below a size. */
function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

/** Serves what is shown, at the addresses of the wire contract. */
export async function openForgedServer(event: { id: string; [field: string]: unknown }) {
  let shown: Shown | null = null
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const answer = shown === null ? null : answerTo(shown, event, url)
    response.statusCode = answer === null ? 404 : 200
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer ?? { statusCode: 404, code: 'NOT_FOUND' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    show(next: Shown): void {
      shown = next
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function answerTo(shown: Shown, event: { id: string }, { pathname, searchParams }: URL): unknown {
  const room = `/api/events/${event.id}`
  const number = (name: string) => Number(searchParams.get(name))
  switch (pathname) {
    case room:
      return event
    case '/.well-known/jwks.json':
      return { keys: shown.keys }
    case `${room}/queue/head`:
      return shown.head
    case `${room}/queue/audit`:
      return pageOf(shown.texts, searchParams)
    case `${room}/queue/draw`:
      return shown.draw ?? { mode: 'none', state: null }
    case `${room}/queue/proof`:
      return { hashes: shown.proof(number('index'), number('size')) }
    case `${room}/queue/consistency`:
      return { hashes: shown.consistency(number('from'), number('to')) }
    default:
      return null
  }
}

/** Pages by index: what `nextAfter` is made of is the server's own matter. */
function pageOf(texts: readonly string[], asked: URLSearchParams): object {
  const items = itemsOf(texts)
  const start = Number(asked.get('from') ?? asked.get('after')?.split('-')[1] ?? 0)
  const end = start + Number(asked.get('limit') ?? 1_000)
  return { items: items.slice(start, end), nextAfter: end < items.length ? `0-${end}` : null }
}

/** Made once for each log, and read page by page. */
const ITEMS = new WeakMap<readonly string[], readonly unknown[]>()

/** With the chain of hashes computed anew, as an operator would who rewrites the log. */
function itemsOf(texts: readonly string[]): readonly unknown[] {
  const known = ITEMS.get(texts)
  if (known !== undefined) return known
  let hash = ''
  const items = texts.map((canonical, index) => {
    hash = createHash('sha256').update(hash).update(canonical).digest('hex')
    return { ...(JSON.parse(canonical) as object), index, canonical, hash }
  })
  ITEMS.set(texts, items)
  return items
}

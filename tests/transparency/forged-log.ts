import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type HeadJson,
  type JwkJson,
  leafOf,
  pathOf,
  proofOf,
  type ReceiptJson,
  rootOf,
  signHead,
} from '@seatwise/testbench'

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

  get leaves(): string[] {
    return this.texts.map(leafOf)
  }

  head(size = this.texts.length, origin = this.origin): HeadJson {
    const root = rootOf(this.leaves.slice(0, size))
    return signHead({ origin, size, root }, { jwk: this.jwk, key: this.#key })
  }

  receipt(index: number, size = this.texts.length): ReceiptJson {
    const hashes = pathOf(index, this.leaves.slice(0, size))
    return { entry: this.texts[index] ?? '', index, head: this.head(size), proof: { hashes } }
  }

  shown(): Shown {
    return {
      texts: this.texts,
      head: this.head(),
      keys: [this.jwk],
      proof: (index, size) => pathOf(index, this.leaves.slice(0, size)),
      consistency: (from, to) => proofOf(from, this.leaves.slice(0, to)),
    }
  }
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
      return { items: itemsOf(shown.texts), nextAfter: null }
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

/** With the chain of hashes computed anew, as an operator would who rewrites the log. */
function itemsOf(texts: readonly string[]): unknown[] {
  let hash = ''
  return texts.map((canonical, index) => {
    hash = createHash('sha256').update(hash).update(canonical).digest('hex')
    return { ...(JSON.parse(canonical) as object), index, canonical, hash }
  })
}

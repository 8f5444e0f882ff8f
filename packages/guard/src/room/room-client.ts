import { readText } from '../adapters/read-text.ts'
import type { Settings } from '../options.ts'

/** What a guard asks of the room: its keys, which passes ended early, and to take a slot back. Nothing per visitor. */
export interface RoomClient {
  /** The published keys, as they are; not checked yet. */
  keys(): Promise<unknown>
  revoked(since: string): Promise<RevokedPage>
  /** `done` also when there was no slot (any more) to be freed. */
  complete(pass: string): Promise<'done' | 'try again'>
}

export interface RevokedPage {
  readonly items: readonly { readonly ticketId: string; readonly fence: number; readonly until: string }[]
  readonly since: string
}

/** Longer than the room takes on a bad day; visitors may wait for it. */
const ANSWER_MS = 2_000
const ANSWER_BYTES_MAX = 1_048_576

export function createRoomClient({ apiOrigin, room, fetch }: Settings): RoomClient {
  const queue = `${apiOrigin}/api/rooms/${room}/queue`

  async function call(url: string, init: RequestInit = {}): Promise<{ status: number; text: string }> {
    const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) })
    const text = await readText(answer.body, ANSWER_BYTES_MAX)
    if (text === null) throw new Error(`${url} answered with more than ${ANSWER_BYTES_MAX} bytes`)
    return { status: answer.status, text }
  }

  async function read(url: string): Promise<unknown> {
    const { status, text } = await call(url, { headers: { accept: 'application/json', 'cache-control': 'no-cache' } })
    if (status !== 200) throw new Error(`${url} answered ${status}`)
    return JSON.parse(text)
  }

  return {
    keys: () => read(`${apiOrigin}/.well-known/jwks.json`),
    async revoked(since) {
      const page = await read(`${queue}/revoked?since=${since}`)
      if (isRevokedPage(page)) return page
      throw new Error(`${queue}/revoked did not answer with a list of passes`)
    },
    async complete(pass) {
      const { status } = await call(`${queue}/complete`, { method: 'POST', headers: { 'seatwise-pass': pass } })
      return status === 429 || status >= 500 ? 'try again' : 'done'
    },
  }
}

function isRevokedPage(page: unknown): page is RevokedPage {
  if (typeof page !== 'object' || page === null || !('items' in page) || !('since' in page)) return false
  return typeof page.since === 'string' && Array.isArray(page.items) && page.items.every(isRevokedItem)
}

function isRevokedItem(item: unknown): boolean {
  if (typeof item !== 'object' || item === null || !('ticketId' in item) || !('fence' in item)) return false
  return typeof item.ticketId === 'string' && Number.isSafeInteger(item.fence)
}

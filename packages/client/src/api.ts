import { LineError } from './errors.ts'
import type { Kept } from './kept.ts'
import type { Environment, PlaceOptions } from './types.ts'

export interface Call {
  readonly body?: unknown
  /** The pass, where being on the floor is what counts. */
  readonly pass?: string
  readonly key?: string
}

export interface Answer<Body> {
  readonly body: Body
  /** How far the server's clock is ahead of ours. */
  readonly skewMs: number | null
}

/** Speaks HTTP with the room: who is asking, how long to wait for an answer, and what an answer means. */
export interface Api {
  /** Base of the room's own paths, `/api/events/:id` or `/api/rooms/:id`. */
  readonly room: string
  readonly origin: string
  ticketToken(): string | undefined
  send<Body>(method: 'GET' | 'POST' | 'DELETE', path: string, call?: Call): Promise<Answer<Body>>
}

const ANSWER_MS_MAX = 15_000
/** The middle of the second that a date header names. */
const HALF_SECOND = 500

export function createApi(options: PlaceOptions, origin: string, kept: Kept, environment: Environment): Api {
  const room = options.roomId === undefined ? `/api/events/${options.eventId}` : `/api/rooms/${options.roomId}`
  const ticketToken = () => kept.read().ticketToken
  const accessToken = () => {
    const { accessToken: given } = options
    return (typeof given === 'function' ? given() : given) ?? kept.read().accessToken
  }
  return {
    ...{ room, origin, ticketToken },
    async send(method, path, { body, pass, key } = {}) {
      const headers: Record<string, string> = {}
      const put = (name: string, value: string | undefined) => {
        if (value !== undefined) headers[name] = value
      }
      const access = accessToken()
      put('authorization', access && `Bearer ${access}`)
      put('seatwise-ticket', ticketToken())
      put('seatwise-pass', pass)
      put('idempotency-key', key)
      put('content-type', body === undefined ? undefined : 'application/json')
      const text = body === undefined ? null : JSON.stringify(body)
      return await exchange(environment, origin + path, { method, headers, body: text })
    },
  }
}

async function exchange<Body>({ fetch, now, setTimer, clearTimer }: Environment, url: string, init: RequestInit) {
  const impatience = new AbortController()
  const timer = setTimer(() => impatience.abort(), ANSWER_MS_MAX)
  try {
    const answer = await fetch(url, { ...init, signal: impatience.signal })
    const text = await answer.text()
    const body = text === '' ? {} : JSON.parse(text)
    if (!answer.ok) throw new LineError(answer.status, body, Number(answer.headers.get('retry-after') ?? 0) * 1000)
    const date = Date.parse(answer.headers.get('date') ?? '')
    return { body: body as Body, skewMs: Number.isNaN(date) ? null : date + HALF_SECOND - now() }
  } catch (error) {
    if (error instanceof LineError) throw error
    // No answer, half an answer, or one of somebody else's (a hotel's sign-in page): nothing is known.
    throw new LineError(0, { code: 'UNREACHABLE', message: 'The server cannot be reached' }, 0, error)
  } finally {
    clearTimer(timer)
  }
}

import { LineError } from './errors.ts'
import type { Kept } from './kept.ts'
import type { Environment, PlaceOptions } from './types.ts'

export interface Call {
  readonly body?: unknown
  /** The pass, where being on the floor is what counts. */
  readonly pass?: string | undefined
  readonly key?: string
}

export interface Answer<Body> {
  readonly body: Body
  /** How far the server's clock is ahead of ours. */
  readonly skewMs: number | null
}

/** Asks the server: says who is asking, waits for an answer, and reads what it means. */
export type Send = <Body>(method: 'GET' | 'POST' | 'DELETE', path: string, call?: Call) => Promise<Answer<Body>>

const ANSWER_MS_MAX = 15_000
/** The middle of the second that a date header names. */
const HALF_SECOND = 500

export function createSend(options: PlaceOptions, origin: string, kept: Kept, environment: Environment): Send {
  const { accessToken: given } = options
  return (method, path, { body, pass, key } = {}) => {
    const record = kept.read()
    const access = (typeof given === 'function' ? given() : given) ?? record.accessToken
    const headers = {
      authorization: access && `Bearer ${access}`,
      'seatwise-ticket': record.ticketToken,
      'seatwise-pass': pass,
      'idempotency-key': key,
      'content-type': body && 'application/json',
    }
    return exchange(environment, origin + path, {
      method,
      headers: Object.entries(headers).filter(([, value]) => value) as [string, string][],
      body: body ? JSON.stringify(body) : null,
    })
  }
}

async function exchange<Body>(environment: Environment, url: string, request: RequestInit): Promise<Answer<Body>> {
  const { fetch, now, setTimer, clearTimer } = environment
  const impatience = new AbortController()
  const timer = setTimer(() => impatience.abort(), ANSWER_MS_MAX)
  try {
    const answer = await fetch(url, { ...request, signal: impatience.signal })
    const text = await answer.text()
    const body = text && JSON.parse(text)
    if (!answer.ok) throw new LineError(answer.status, body, Number(answer.headers.get('retry-after')) * 1000)
    const date = Date.parse(answer.headers.get('date') ?? '')
    return { body, skewMs: date ? date + HALF_SECOND - now() : null }
  } catch (error) {
    if (error instanceof LineError) throw error
    // No answer, half an answer, or one of somebody else's (a hotel's sign-in page): nothing is known.
    throw new LineError(0, { code: 'UNREACHABLE', message: 'The server cannot be reached' }, 0, error)
  } finally {
    clearTimer(timer)
  }
}

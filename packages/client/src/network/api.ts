import type { Kept } from '../device/kept.ts'
import { LineError } from '../errors.ts'
import type { Environment, PlaceOptions } from '../types.ts'

export interface Call {
  readonly body?: unknown
  /** The pass, where being on the floor is what counts. */
  readonly pass?: string | undefined
  readonly key?: string
}

/** Asks the server: says who is asking, waits for an answer, and reads what it means. */
export interface Api {
  send<Body>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, call?: Call): Promise<Body>
  /** How far the server's clock is ahead of ours, in ms. */
  skewMs(): number
}

const ANSWER_MS_MAX = 15_000
/** The middle of the second that a date header names. */
const HALF_SECOND = 500
/** An answer's way and the whole seconds of its date only ever make the server's clock look slow: the fastest is right. */
const SKEWS_MAX = 8

export function createApi(options: PlaceOptions, origin: string, kept: Kept, environment: Environment): Api {
  const { accessToken: given } = options
  const skews: number[] = []
  return {
    skewMs: () => (skews.length > 0 ? Math.max(...skews) : 0),
    async send(method, path, { body, pass, key } = {}) {
      const { accessToken: own, ticketToken } = kept.read()
      const accessToken = (typeof given === 'function' ? given() : given) ?? own
      const sent = { ticketToken, accessToken }
      const headers = {
        authorization: accessToken && `Bearer ${accessToken}`,
        'seatwise-ticket': ticketToken,
        'seatwise-pass': pass,
        'idempotency-key': key,
        'content-type': body && 'application/json',
      }
      const { body: answer, headers: told } = await exchange<never>(environment, origin + path, {
        method,
        headers: Object.entries(headers).filter(([, value]) => value) as [string, string][],
        body: body ? JSON.stringify(body) : null,
      })
      const date = Date.parse(told.get('date') ?? '')
      if (date) skews.unshift(date + HALF_SECOND - environment.now())
      skews.length = Math.min(skews.length, SKEWS_MAX)
      // The server is about to forget the secret of what was sent, which may be another token than is kept here.
      for (const kind of ['ticket', 'access'] as const) {
        const renewed = told.get(`seatwise-renewed-${kind}`)
        const name = `${kind}Token` as const
        if (renewed && kept.read()[name] === sent[name]) kept.write({ [name]: renewed })
      }
      return answer
    },
  }
}

async function exchange<Body>(environment: Environment, url: string, request: RequestInit) {
  const { fetch, setTimer, clearTimer } = environment
  const impatience = new AbortController()
  const timer = setTimer(() => impatience.abort(), ANSWER_MS_MAX)
  try {
    const answer = await fetch(url, { ...request, signal: impatience.signal })
    const text = await answer.text()
    const body: Body = text && JSON.parse(text)
    if (answer.ok) return { body, headers: answer.headers }
    throw new LineError(
      answer.status,
      body as Record<string, unknown>,
      Number(answer.headers.get('retry-after')) * 1000,
    )
  } catch (error) {
    if (error instanceof LineError) throw error
    // No answer, half an answer, or one of another server (a hotel's sign-in page): nothing is known.
    throw new LineError(0, { code: 'UNREACHABLE', message: 'The server cannot be reached' }, 0, error)
  } finally {
    clearTimer(timer)
  }
}

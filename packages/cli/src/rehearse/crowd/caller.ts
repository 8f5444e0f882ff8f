import type { ClientRecord } from '@seatwise/checker'
import { retryAfterMs } from '../http/answer-reader.ts'
import { type ConnectionPool, NoAnswer } from '../http/connection-pool.ts'
import type { Action, Measurements } from '../measure/measurements.ts'
import { type Recorder, secretsIn } from '../measure/recorder.ts'
import type { TimerWheel } from './timer-wheel.ts'

/** What all visitors of a rehearsal share. */
export interface World {
  readonly url: URL
  readonly pool: ConnectionPool
  readonly wheel: TimerWheel
  readonly measurements: Measurements
  readonly recorder: Recorder
  /** How often a visitor retries when no good answer came. */
  readonly retriesMax: number
  /** The room's clock minus this machine's, as far as answers have told. */
  clockOffsetMs: number
  isOver: boolean
}

export interface Call {
  readonly action: Action
  /** The same in all records of one visitor. */
  readonly client: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers: string
  readonly body?: object
  /** What is written down; null: nothing is. */
  readonly record: (Partial<ClientRecord> & { readonly action: string }) | null
  /** What an answer says, in the checker's words. */
  readonly told?: (body: Body) => Partial<ClientRecord>
}

/** What a server answered. The wire contract says what is in it. */
export type Body = Readonly<Record<string, unknown>>

export type Reply =
  | { readonly kind: 'ok'; readonly status: number; readonly body: Body }
  /** `isDoubted`: an attempt before this one got no answer, and may have been applied all the same. */
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly code: string
      readonly body: Body
      readonly isDoubted: boolean
    }
  /** It is unknown whether the call was applied, or the server asks for a retry. */
  | { readonly kind: 'unanswered'; readonly retryMs: number | null }

/**
 * Browsers and people come back after about so long, each time after twice as long, and never all at once. When they
 * were told a time they come after it, as our client does.
 */
const RETRY_MS = 500
const RETRY_MS_MAX = 15_000

/** An answer, or none, after so many attempts. */
export type Asked = Reply & { readonly attempts: number }

/** Asks until there is an answer, or until patience ends. Every attempt is the same request, with the same key. */
export async function ask(world: World, call: Call, random: () => number): Promise<Asked> {
  for (let attempt = 0; ; attempt += 1) {
    const reply = await attemptOnce(world, call)
    const attempts = attempt + 1
    if (reply.kind === 'refused') return { ...reply, isDoubted: attempt > 0, attempts }
    if (reply.kind !== 'unanswered' || attempt >= world.retriesMax || world.isOver) return { ...reply, attempts }
    const backoffMs = Math.min(RETRY_MS_MAX, RETRY_MS * 2 ** attempt)
    await world.wheel.sleep(
      reply.retryMs === null ? backoffMs * (0.75 + random() / 2) : reply.retryMs + (backoffMs * random()) / 2,
    )
  }
}

async function attemptOnce(world: World, call: Call): Promise<Reply> {
  const { measurements } = world
  const dueAtMs = performance.now()
  const record = openRecord(world, call, dueAtMs)
  try {
    const { status, head, body: text } = await world.pool.send(requestText(world.url, call))
    const body = parseBody(text)
    if (status === 429 || status === 503 || body.code === 'IN_PROGRESS') {
      measurements.refused(`${status} ${String(body.code ?? '')}`, true)
      record('info')
      return { kind: 'unanswered', retryMs: retryAfterMs(head) }
    }
    if (status >= 400) {
      const code = String(body.code ?? '')
      measurements.refused(`${status} ${code}`, status >= 500)
      measurements.latency[call.action].add(performance.now() - dueAtMs)
      record(status >= 500 ? 'info' : 'fail')
      if (status >= 500) return { kind: 'unanswered', retryMs: null }
      return { kind: 'refused', status, code, body, isDoubted: false }
    }
    measurements.answered(call.action, performance.now() - dueAtMs)
    record('ok', { ...call.told?.(body), ...(call.record === null ? {} : { secrets: secretsIn(text) }) })
    return { kind: 'ok', status, body }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    // A visitor that the rehearsal stopped does not count as one without an answer.
    if (!world.isOver) {
      measurements.refused('no answer', true)
      record('info')
    }
    return { kind: 'unanswered', retryMs: null }
  }
}

/** Writes the question down, and returns what writes down its end. Of reads, answers are enough: they say when it was. */
function openRecord(world: World, { client, record }: Call, dueAtMs: number) {
  if (record === null) return (): void => undefined
  const asked = record.read === true ? { invokedMs: dueAtMs } : {}
  const head = { record: 'client', client, call: world.recorder.nextCall(), ...record, ...asked } as const
  if (record.read !== true) world.recorder.write({ ...head, phase: 'invoke', monotonicMs: dueAtMs })
  return (phase: ClientRecord['phase'], told: Partial<ClientRecord> = {}): void => {
    if (record.read === true && phase !== 'ok') return
    world.recorder.write({ ...head, ...told, phase, monotonicMs: performance.now() })
  }
}

function requestText({ host }: URL, { method, path, headers, body }: Call): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}`
  if (body === undefined) return method === 'GET' ? `${head}\r\n` : `${head}Content-Length: 0\r\n\r\n`
  const text = JSON.stringify(body)
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

function parseBody(text: string): Body {
  if (text === '' || !text.startsWith('{')) return {}
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

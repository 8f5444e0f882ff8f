import type { Api } from './api.ts'
import { isPassing, LineError } from './errors.ts'
import { insist, pause } from './insist.ts'
import type { Kept } from './kept.ts'
import { backOffMs } from './schedule.ts'
import type { Environment, Purchase, PurchaseUnderWay, Reservation, Wish } from './types.ts'

export interface BuyingParts {
  readonly api: Api
  readonly kept: Kept
  readonly environment: Environment
}

interface KeyedCall {
  /** What is being done: one call of each kind can be open. */
  readonly kind: 'reserve' | 'pay'
  readonly path: string
  readonly body: unknown
  readonly pass?: string
}

/** How long an outcome may stay unknown before the caller hears of it. The key stays, and the next try goes on with it. */
const PATIENCE_MS = 45_000
/** A payment may wait for the buyer's bank. */
const SETTLE_MS = 15 * 60_000

/** Reserves seats. However often it is repeated, also after a reload, the same wish takes seats once. */
export function reserve(parts: BuyingParts, wish: Wish, pass: string): Promise<Reservation> {
  return underOneKey(parts, { kind: 'reserve', path: `${parts.api.room}/reservations`, body: wish, pass })
}

/** Pays, or says where the buyer must go first. The key stays until the end is known. */
export async function pay(
  parts: BuyingParts,
  reservationId: string,
  paymentMethod: string | undefined,
): Promise<Purchase | PurchaseUnderWay> {
  const body = paymentMethod === undefined ? { reservationId } : { reservationId, paymentMethod }
  return await underOneKey(parts, { kind: 'pay', path: '/api/purchases', body })
}

/** Waits for the end of a payment: `PAID`, or the error that ended it. */
export async function settle(parts: BuyingParts, operationId: string): Promise<Purchase> {
  const { environment, kept } = parts
  const deadline = environment.now() + SETTLE_MS
  for (let looks = 0; ; looks++) {
    const outcome = await insist(environment, () => ask<Purchase>(parts, operationId))
    if (outcome !== 'pending') {
      kept.dropKey('pay')
      if (outcome === 'nothing') throw new LineError(404, { code: 'NOT_FOUND', message: 'Nothing was begun' })
      return requireSuccess(outcome)
    }
    if (environment.now() > deadline) throw new LineError(0, { code: 'UNKNOWN', message: 'Still not decided' })
    await pause(environment, backOffMs(Math.min(looks, 3), 0, environment.random()))
  }
}

/** Gives seats back. A second time finds them given back. */
export async function cancel({ api, environment }: BuyingParts, reservationId: string): Promise<Reservation> {
  const path = `/api/reservations/${reservationId}`
  return await insist(environment, async () => {
    try {
      return (await api.send<Reservation>('DELETE', path)).body
    } catch (error) {
      if (!(error instanceof LineError) || error.code !== 'RESERVATION_ENDED') throw error
      const { body } = await api.send<Reservation>('GET', path)
      if (body.status !== 'CANCELED') throw error
      return body
    }
  })
}

async function underOneKey<Result extends object>(parts: BuyingParts, call: KeyedCall): Promise<Result> {
  const { api, kept, environment } = parts
  const { kind, path, body, ...rest } = call
  const key = kept.keyFor(kind, JSON.stringify(body), environment.newKey)
  const deadline = environment.now() + PATIENCE_MS
  for (let failures = 0; ; failures++) {
    try {
      const { body: result } = await api.send<Result>('POST', path, { ...rest, body, key })
      if (!isUnderWay(result)) kept.dropKey(kind)
      return result
    } catch (error) {
      if (!(error instanceof LineError) || !isPassing(error)) {
        kept.dropKey(kind)
        throw error
      }
      if (environment.now() > deadline) throw error
      await pause(environment, backOffMs(failures, error.retryAfterMs, environment.random()))
      // It was heard or it was not: nobody knows, and asking changes nothing.
      const outcome = await ask<Result>(parts, key).catch(() => 'pending' as const)
      if (typeof outcome === 'object') {
        kept.dropKey(kind)
        return requireSuccess(outcome)
      }
    }
  }
}

/** What became of a key of ours: its answer, `pending`, or `nothing`, and then trying again is safe. */
async function ask<Result>({ api }: BuyingParts, key: string): Promise<Result | 'pending' | 'nothing'> {
  try {
    const { body } = await api.send<{ status: 'done' | 'pending'; result?: Result }>('GET', `/api/operations/${key}`)
    return body.result ?? 'pending'
  } catch (error) {
    if (error instanceof LineError && error.status === 404) return 'nothing'
    throw error
  }
}

/** A stored answer may be a refusal, such as a declined card. */
function requireSuccess<Result extends object>(result: Result): Result {
  const fields: Record<string, unknown> = Object.fromEntries(Object.entries(result))
  const { statusCode } = fields
  if (typeof statusCode === 'number' && statusCode >= 400) throw new LineError(statusCode, fields)
  return result
}

const isUnderWay = (result: object) => 'status' in result && result.status === 'PROCESSING'

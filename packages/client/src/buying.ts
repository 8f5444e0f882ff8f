import { hasCode, isPassing, LineError } from './errors.ts'
import { insist } from './network/insist.ts'
import type { Parts } from './place/prepare.ts'
import type { Addressee, Purchase, PurchaseUnderWay, Reservation, Wish } from './types.ts'

/** What is being done under a key: one call of each kind can be open. */
type Kind = 'reserve' | 'pay'

/** At half a minute each, a quarter of an hour: a payment may wait for the buyer's bank. */
const OUTCOME_ATTEMPTS_MAX = 40

/** Reserves seats. However often it is repeated, also after a reload, the same wish takes seats once. */
export function reserve(parts: Parts, wish: Wish, pass: string | undefined): Promise<Reservation> {
  return underOneKey(parts, 'reserve', `${parts.room}/reservations`, wish, pass)
}

/** Says who a reservation is for. Saying it twice changes nothing, so it needs no key. */
export function setAddressee(parts: Parts, reservationId: string, addressee: Addressee): Promise<Reservation> {
  return insist(parts, () =>
    parts.send<Reservation>('PATCH', `/api/reservations/${reservationId}`, { body: addressee }),
  )
}

/** Pays, or says where the buyer must go first. The key stays until the end is known. */
export function pay(
  parts: Parts,
  reservationId: string,
  paymentMethod: string | undefined,
): Promise<Purchase | PurchaseUnderWay> {
  // What is undefined does not appear in JSON.
  return underOneKey(parts, 'pay', '/api/purchases', { reservationId, paymentMethod })
}

/** Waits for the end of a payment: `PAID`, or the error that ended it. */
export async function awaitOutcome(parts: Parts, operationId: string): Promise<Purchase> {
  const purchase = await ending(parts, 'pay', () =>
    insist(parts, () => ask<Purchase>(parts, operationId), OUTCOME_ATTEMPTS_MAX),
  )
  if (purchase === null) throw new LineError(404, { code: 'NOT_FOUND' })
  return purchase
}

/** Gives seats back. A second time finds them given back. */
export function cancel(parts: Parts, reservationId: string): Promise<Reservation> {
  const path = `/api/reservations/${reservationId}`
  return insist(parts, async () => {
    try {
      return await parts.send<Reservation>('DELETE', path)
    } catch (error) {
      if (!hasCode(error, 'RESERVATION_ENDED')) throw error
      const found = await parts.send<Reservation>('GET', path)
      if (found.status !== 'CANCELED') throw error
      return found
    }
  })
}

function underOneKey<Result extends object>(
  parts: Parts,
  kind: Kind,
  path: string,
  body: object,
  pass?: string,
): Promise<Result> {
  const key = parts.kept.keyFor(kind, JSON.stringify(body), parts.newKey)
  return ending(parts, kind, () =>
    insist(parts, async (failures) => {
      // Whether the server got it is unknown, and asking changes nothing.
      const known = failures > 0 ? await ask<Result>(parts, key) : null
      return known ?? (await parts.send<Result>('POST', path, { body, pass, key }))
    }),
  )
}

/** Drops the key once the outcome is known. While it is not, the next try goes on with the same one. */
async function ending<Result extends object | null>(
  { kept }: Parts,
  kind: Kind,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await run()
    if (result === null || !('operationId' in result)) kept.dropKey(kind)
    return result
  } catch (error) {
    if (!isPassing(error)) kept.dropKey(kind)
    throw error
  }
}

/** What became of a key of ours: its answer, or null when nothing did; trying again is safe then. */
async function ask<Result extends object>({ send }: Parts, key: string): Promise<Result | null> {
  try {
    const { result } = await send<{ result?: Result }>('GET', `/api/operations/${key}`)
    if (result === undefined) throw new LineError(0, { code: 'PENDING' })
    // A stored answer may be a refusal, such as a declined card.
    const refusal = result as { statusCode?: number } & Record<string, unknown>
    if (refusal.statusCode !== undefined) throw new LineError(refusal.statusCode, refusal)
    return result
  } catch (error) {
    if (hasCode(error, 'NOT_FOUND')) return null
    throw error
  }
}

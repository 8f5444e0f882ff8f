import { hash, randomUUID, randomUUIDv7 } from 'node:crypto'
import { codeKey, faults, SeatwiseError, type VariantWish } from '@seatwise/domain'
import {
  type Code,
  type DoorMethod,
  type DoorOutcome,
  findCode,
  isAboutTheWork,
  type OperationKey,
  type SeatClaimWish,
  type SoldAtDoor,
  type StoredAnswer,
  sellAtDoor as store,
  type WithMap,
} from '@seatwise/ledger'
import { outsideNumber, TAKE_MS } from '@seatwise/line'
import type { Actor } from '../../http/index.ts'
import type { SigningKeys } from '../../identity/index.ts'
import { fingerprintOf } from '../operations/idempotency-key.ts'
import { repeatAnswer } from '../operations/repeat-answer.ts'
import type { OperationsUnderWay } from '../operations/under-way.ts'
import { describePurchase } from '../payments/answers.ts'
import { quantityOf } from '../reservations/claim-desk.ts'
import { type Picked, pickSeatsFor } from '../reservations/pick-seats-for.ts'
import { toError } from '../reservations/refusals.ts'
import { lossesOf, type TellParts, tellCopyAndLine } from '../reservations/tell-line.ts'
import type { Wish } from '../seat-map/seat-map-copy.ts'

export interface DoorParts extends TellParts {
  readonly keys: SigningKeys
  readonly underWay: OperationsUnderWay
  /** Counts how payments end. */
  readonly count: (outcome: 'paid') => void
  /** Milliseconds of a clock that is never set. */
  readonly monotonicNow: () => number
}

export interface DoorWish {
  readonly eventId: string
  readonly actor: Actor
  readonly key: string
  readonly wish: Wish
  readonly variants?: readonly VariantWish[] | undefined
  /** As it was typed. */
  readonly code?: string | undefined
  readonly method: DoorMethod
  readonly email: string | null
}

/**
 * The gate counts a sale for TAKE_MS, and a statement of the ledger may run for 10 s: a sale that gets the lock later than this
 * could be committed when its seats are promised to others already.
 */
const LOCKED_MS_MAX = TAKE_MS - 10_000

/** How often other seats are picked after the first ones were taken by another visitor. */
const OFFERS_MAX = 5

/**
 * Sells seats to a visitor at the door. Like a claim it passes the gate before the ledger, so that no visitor on the floor
 * loses the seat they are promised; unlike a claim it has no ticket, and is paid in the transaction that takes the seats.
 */
export async function sellAtDoor(parts: DoorParts, sale: DoorWish): Promise<StoredAnswer> {
  const { ledger } = parts
  const { actor, key, eventId, wish, variants, method, email } = sale
  const code = sale.code === undefined ? undefined : codeKey(sale.code)
  const asked = { wish, variants, code, method, email }
  const operation = { actorId: actor.id, key, fingerprint: fingerprintOf(`door sale ${eventId}`, asked) }
  return await parts.underWay.run(actor.id, key, async () => {
    const stored = await repeatAnswer(parts.ledger, operation)
    if (stored !== null) return stored
    try {
      return await sellBest(parts, sale, operation)
    } catch (error) {
      // The same call may have succeeded on another server meanwhile, which is why there is nothing left for this one.
      const repeated =
        error instanceof SeatwiseError && error.status === 409 ? await repeatAnswer(ledger, operation) : null
      if (repeated === null) throw error
      return repeated
    }
  })
}

/** Other seats are picked after the first ones were taken, if the seller left the choice to us. */
async function sellBest(parts: DoorParts, sale: DoorWish, operation: OperationKey): Promise<StoredAnswer> {
  const { wish } = sale
  const code = await requireCodeOf(parts, sale)
  for (let offer = 1; ; offer += 1) {
    const picked = 'seatIds' in wish ? named(wish) : await pick(parts, sale, wish, { seed: offer, code })
    const outcome = await sell(parts, sale, operation, picked.wish).finally(picked.rubOut)
    if (outcome.status === 'sold') parts.count('paid')
    if (outcome.status === 'sold' || outcome.status === 'repeated') return outcome.answer
    if (outcome.status === 'given_up') throw new SeatwiseError('UNAVAILABLE', { retryAfterSeconds: 1 })
    if (outcome.status !== 'taken' || !picked.isOffer || offer === OFFERS_MAX) throw toError(outcome)
    await parts.seatMaps.refresh(sale.eventId)
  }
}

/** The code that the seller typed; null without one. Whether it can be used is decided with the seats. */
async function requireCodeOf({ ledger }: DoorParts, { eventId, code }: DoorWish): Promise<Code | null> {
  if (code === undefined) return null
  const found = await findCode(ledger.db, eventId, codeKey(code))
  if (found === null) throw new SeatwiseError('CODE_UNKNOWN')
  return found
}

type ToSell = Exclude<Picked, { status: string }>

const named = (wish: SeatClaimWish): ToSell => ({ wish, isOffer: false, rubOut: () => undefined })

async function pick(
  { seatMaps }: DoorParts,
  { eventId }: DoorWish,
  wish: Exclude<Wish, { seatIds: unknown }>,
  { seed, code }: { seed: number; code: Code | null },
): Promise<ToSell> {
  const picked = await pickSeatsFor(seatMaps, eventId, wish, { seed, own: [], code })
  if ('status' in picked) throw toError(picked)
  return picked
}

async function sell(
  parts: DoorParts,
  sale: DoorWish,
  operation: OperationKey,
  wish: SeatClaimWish,
): Promise<DoorOutcome> {
  const { eventId, variants, code, method, email } = sale
  const askedAt = parts.monotonicNow()
  const taken = await takeFromGate(parts, eventId, operation, quantityOf(wish))
  if (faults.on) await faults.reach('door.after-gate')
  const order = {
    ...{ operation, wish, method, email, purchaseId: randomUUID(), buyerId: randomUUID() },
    ...(variants === undefined ? {} : { variants }),
    ...(code === undefined ? {} : { code: codeKey(code) }),
    // Ordered by time, so that reservations made together are neighbours in the ledger's indexes.
    reservationId: randomUUIDv7(),
    answerOf: (sold: SoldAtDoor) => answerOf(parts.keys, sold, method),
    mayBegin: () => parts.monotonicNow() - askedAt < LOCKED_MS_MAX,
  }
  const outcome = await ask(parts, eventId, () => store(parts.ledger, eventId, order))
  const expired = outcome.status === 'sold' ? lossesOf(outcome.expired) : []
  await tellCopyAndLine(parts, eventId, outcome, [...expired, taken])
  if (faults.on) await faults.reach('door.after-settle')
  return outcome
}

/**
 * Counts the sale in the gate, or throws why there are not so many seats for it. What is returned ends the count; a server
 * that dies before that leaves it to the gate, which gives it up after some seconds.
 */
async function takeFromGate(
  { rooms }: DoorParts,
  eventId: string,
  { actorId, key }: OperationKey,
  quantity: number,
): Promise<{ operation: string; number: number }> {
  const room = await rooms.ofEvent(eventId)
  // Keys are the seller's own: two sellers may use the same one.
  const name = hash('sha256', `${actorId} ${key}`, 'base64url')
  const [reply] = await room.take([{ number: outsideNumber(name), fence: 0, quantity, operation: name }])
  if (reply === undefined) throw new Error('The gate answers every sale')
  if (reply.status === 'busy') throw new SeatwiseError('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 })
  if (reply.status !== 'taken') throw toError(reply)
  return { operation: name, number: outsideNumber(name) }
}

/** When the ledger does not answer, the outcome is unknown: the gate waits, and the seller retries under the same key. */
async function ask(
  { log }: DoorParts,
  eventId: string,
  work: () => Promise<WithMap<DoorOutcome> | null>,
): Promise<WithMap<DoorOutcome>> {
  const outcome = await work().catch((cause: unknown) => {
    if (isAboutTheWork(cause)) throw cause
    log.error({ err: cause, event: eventId }, 'a sale at the door was not decided')
    throw new SeatwiseError('UNAVAILABLE', { cause, retryAfterSeconds: 1 })
  })
  if (outcome === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
  return outcome
}

function answerOf(keys: SigningKeys, sold: SoldAtDoor, method: DoorMethod): StoredAnswer {
  return { statusCode: 201, body: { ...describePurchase(keys, sold), method } }
}

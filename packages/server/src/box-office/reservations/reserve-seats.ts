import { randomUUIDv7 } from 'node:crypto'
import { codeKey, parseReservation, type Reservation, SeatwiseError, type VariantWish } from '@seatwise/domain'
import { type Code, type OperationKey, readReservationOfTicket, type SeatClaimWish } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import { traced } from '../../kit/index.ts'
import { type PassClaims, type Room, type RoomTokens, requirePublished } from '../../rooms/index.ts'
import { fingerprintOf } from '../operations/idempotency-key.ts'
import { repeatAnswer } from '../operations/repeat-answer.ts'
import type { OperationsUnderWay } from '../operations/under-way.ts'
import type { Refusal, Wish } from '../seat-map/seat-map-copy.ts'
import { type ClaimDesk, type Decision, quantityOf } from './claim-desk.ts'
import type { KnownPasses } from './known-passes.ts'
import type { LoserDesk } from './loser-desk.ts'
import { type Picked, pickSeatsFor } from './pick-seats-for.ts'
import { type Refused, toError } from './refusals.ts'
import type { TellParts } from './tell-line.ts'

export interface ReserveParts extends TellParts {
  readonly desk: ClaimDesk
  readonly losers: LoserDesk
  readonly passes: KnownPasses
  readonly roomTokens: RoomTokens
  readonly underWay: OperationsUnderWay
  readonly now: () => number
  readonly onTurnedAway: () => void
}

export interface ReserveRequest {
  readonly eventId: string
  readonly actor: Actor
  readonly key: string
  /** As sent in the header; undefined without one. */
  readonly pass: string | undefined
  readonly wish: Wish
  readonly variants?: readonly VariantWish[] | undefined
  /** As it was typed, and the address that wrong codes are counted for: null where rates are not limited. */
  readonly code?: { readonly text: string; readonly address: string | null } | undefined
}

/** How often a visitor who asked for the best seats is offered others after losing them to another visitor. */
const OFFERS_MAX = 5

/**
 * Reserves seats, or throws why not. This server's memory turns most losers away; every other visitor is judged by the
 * line (is it their turn, is there a seat not promised to another visitor?) and then by the ledger, which alone decides.
 */
export const reserveSeats: typeof claimSeats = traced('reservations.create', claimSeats)

async function claimSeats(parts: ReserveParts, request: ReserveRequest): Promise<Reservation> {
  const { actor, eventId, key, pass, wish } = request
  if (parts.rooms.openRoomOfEvent(eventId)?.row.state === 'cancelled') {
    return await repeatOr(parts, operationOf(request), { status: 'cancelled' })
  }
  if (pass === undefined) throw new SeatwiseError('NOT_ACTIVE')
  const refusal = parts.seatMaps.peek(eventId)?.judge(wish) ?? null
  if (refusal !== null) await turnAway(parts, { ...request, pass }, refusal)
  parts.desk.refuseCrowd(eventId)
  const room = requirePublished(await parts.rooms.ofEvent(eventId))
  const claims = parts.roomTokens.passes.read(pass)
  if (claims === null || claims.room !== room.id) throw new SeatwiseError('NOT_ACTIVE')
  const operation = operationOf(request)
  const visit = { ...request, pass, claims, operation, identity: parts.roomTokens.identities.of(actor.id) }
  return await parts.underWay.run(actor.id, key, () => judge(parts, room, visit, refusal))
}

function operationOf({ actor, eventId, key, ...request }: ReserveRequest): OperationKey {
  return { actorId: actor.id, key, fingerprint: fingerprintOf(`reserve ${eventId}`, askedFor(request)) }
}

/** What makes two calls the same: the code counts however it is spelled. */
function askedFor({ wish, variants, code }: Pick<ReserveRequest, 'wish' | 'variants' | 'code'>): object {
  if (variants === undefined && code === undefined) return wish
  return { ...wish, ...(variants && { variants }), ...(code && { code: codeKey(code.text) }) }
}

/** A visitor with a pass of this room. */
interface Visit extends ReserveRequest {
  readonly pass: string
  readonly claims: PassClaims
  readonly operation: OperationKey
  readonly identity: string
}

/**
 * Throws the copy's refusal, if the line has confirmed the pass to this server and the ledger has no earlier call of this
 * visitor that succeeded: the whole path of most losers of a crowded sale. Rule B60.
 */
export async function turnAway(
  parts: Pick<ReserveParts, 'losers' | 'passes' | 'now' | 'onTurnedAway'>,
  { actor, eventId, key, pass }: Pick<Visit, 'actor' | 'eventId' | 'key' | 'pass'>,
  refusal: Refusal,
): Promise<void> {
  const known = parts.passes.find(pass, actor.id, eventId, parts.now())
  if (known === null) return
  const { roomId, number: ticketNumber } = known
  if (await parts.losers.mayHaveSucceeded({ operation: { actorId: actor.id, key }, roomId, ticketNumber })) return
  parts.onTurnedAway()
  throw toError(refusal)
}

async function judge(parts: ReserveParts, room: Room, visit: Visit, refusal: Refusal | null): Promise<Reservation> {
  const { actor, claims, code, eventId, identity, operation, pass, wish } = visit
  const { maxSeatsPerBuyer } = room.settings
  const isOverLimit = quantityOf(wish) > maxSeatsPerBuyer
  // A visitor who names seats that look free goes straight to the gate, which checks the pass as well.
  const isStraight = refusal === null && 'seatIds' in wish && !isOverLimit
  if (isStraight && code === undefined) return await claim(parts, room, visit, { own: [], code: null })
  const { number } = claims
  const holder = await room.holderOf(number, claims.fence)
  const people = holder?.people ?? [holder?.identity]
  if (holder === null || !people.includes(identity)) return await repeatOr(parts, operation, { status: 'stale' })
  if (refusal !== null && holder.reservedSeats === 0) {
    parts.passes.learn(pass, { actorId: actor.id, eventId, roomId: room.id, number, deadline: holder.deadline })
    await turnAway(parts, visit, refusal)
  }
  const left = maxSeatsPerBuyer * people.length
  if (quantityOf(wish) > left) return await repeatOr(parts, operation, { status: 'limit_reached', left })
  const found = code === undefined ? null : await parts.roomTokens.eventCodes.find({ eventId, ...code })
  if (code !== undefined && found === null) return await repeatOr(parts, operation, { status: 'unknown_code' })
  const own = holder.reservedSeats === 0 ? [] : await seatsOf(parts, room, number)
  return await claim(parts, room, visit, { own, code: found })
}

/**
 * Asks line and ledger. A visitor who asked for the best seats is offered others after losing them to another visitor;
 * their own seats count as free for that.
 */
async function claim(
  parts: ReserveParts,
  room: Room,
  visit: Visit,
  { own, code }: { own: readonly string[]; code: Code | null },
): Promise<Reservation> {
  const { actor, claims, eventId, identity, operation, wish, variants } = visit
  const { maxSeatsPerBuyer: seatsPerBuyerMax, reservationSeconds: holdSeconds } = room.settings
  for (let offer = 1; ; offer += 1) {
    const seed = claims.number * 31 + offer
    const picked =
      'seatIds' in wish ? named(wish) : await pickSeatsFor(parts.seatMaps, eventId, wish, { seed, own, code })
    if ('status' in picked) return await repeatOr(parts, operation, picked)
    const asked = {
      ...{ operation, buyerId: actor.id, identity, wish: picked.wish, holdSeconds, seatsPerBuyerMax },
      ...{ roomId: room.id, ticketNumber: claims.number, fence: claims.fence },
      ...(variants === undefined ? {} : { variants }),
      ...(code === null ? {} : { code: codeKey(code.code) }),
      // Ordered by time, so that reservations made together are neighbours in the ledger's indexes.
      reservationId: randomUUIDv7(),
    }
    const decision = await parts.desk.decide(eventId, asked).finally(picked.rubOut)
    if (decision.status !== 'taken' || !picked.isOffer || offer === OFFERS_MAX) {
      return await conclude(parts, visit, decision)
    }
    await parts.seatMaps.refresh(eventId)
  }
}

const named = (wish: SeatClaimWish): Picked => ({ wish, isOffer: false, rubOut: () => undefined })

async function conclude(parts: ReserveParts, { claims, operation }: Visit, decision: Decision): Promise<Reservation> {
  switch (decision.status) {
    case 'held':
    case 'repeated':
      parts.passes.forget(claims.room, claims.number)
      return decision.reservation
    case 'stale':
    case 'no_time':
    case 'busy':
    case 'sold_out':
    case 'not_enough':
      // The gate knows nothing of earlier calls; a refusal by the ledger has already looked for them.
      return await repeatOr(parts, operation, decision)
    case 'failed':
      throw decision.error
    case 'key_reused':
    case 'stale_pass':
    case 'paying':
    case 'group_reserved':
    case 'taken':
    case 'unknown_seat':
    case 'limit_reached':
    case 'unknown_variant':
    case 'wrong_quantities':
    case 'unknown_code':
    case 'code_used_up':
    case 'code_not_applicable':
    case 'not_started':
    case 'cancelled':
      throw toError(decision)
  }
}

/** Throws a refusal, unless an earlier call took effect under the same key: then its stored answer. */
async function repeatOr({ ledger }: ReserveParts, operation: OperationKey, refused: Refused): Promise<Reservation> {
  const stored = await repeatAnswer(ledger, operation)
  if (stored === null) throw toError(refused)
  return parseReservation(JSON.stringify(stored.body))
}

async function seatsOf({ ledger }: ReserveParts, room: Room, number: number): Promise<string[]> {
  const reservation = await readReservationOfTicket(ledger.db, room.id, number)
  return reservation?.status === 'PENDING_PAYMENT' ? reservation.items.map(({ seatId }) => seatId) : []
}

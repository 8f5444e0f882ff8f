import { hash, randomUUIDv7 } from 'node:crypto'
import { type ErrorCode, SeatwiseError } from '@seatwise/domain'
import { type OperationKey, readReservationOfTicket, type SeatClaimWish } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import type { PassClaims, Room, RoomTokens } from '../../rooms/index.ts'
import { fingerprintOf } from '../operations/idempotency-key.ts'
import { repeatAnswer } from '../operations/repeat-answer.ts'
import type { OperationsUnderWay } from '../operations/under-way.ts'
import type { Wish } from '../seat-map/seat-map-copy.ts'
import type { ClaimDesk, Decision, PendingClaim } from './claim-desk.ts'
import type { KnownPasses } from './known-passes.ts'
import type { LoserDesk } from './loser-desk.ts'
import { pickSeatsFor } from './pick-seats-for.ts'
import { refusalOf, toError } from './refusals.ts'
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

/** What turning a loser away needs: this server's memory, and the ledger's record of their earlier calls. */
export type TurnAwayParts = Pick<ReserveParts, 'losers' | 'passes' | 'now' | 'onTurnedAway'> & {
  readonly seatMaps: Pick<ReserveParts['seatMaps'], 'peek'>
}

export interface ReserveRequest {
  readonly eventId: string
  readonly actor: Actor
  readonly key: string
  /** As sent in the header; undefined without one. */
  readonly pass: string | undefined
  readonly wish: Wish
}

export interface ReserveAnswer {
  readonly statusCode: number
  /** The reservation's id. */
  readonly id: string
  /** A string where it is already serialised as JSON. */
  readonly body: Record<string, unknown> | string
}

/** How often a visitor who asked for the best seats is offered others after losing them to another visitor. */
const OFFERS_MAX = 5

/**
 * Reserves seats, or says why not. A visitor who was not turned away from memory is judged by the line (is it their
 * turn, is there a seat not promised to another visitor?) and then by the ledger, which alone decides.
 */
export async function reserveSeats(parts: ReserveParts, request: ReserveRequest): Promise<ReserveAnswer> {
  const { actor, eventId, key, pass } = request
  if (pass === undefined) throw new SeatwiseError('NOT_ACTIVE')
  const room = await parts.rooms.ofEvent(eventId)
  const claims = parts.roomTokens.passes.read(pass)
  if (claims === null || claims.room !== room.id) throw new SeatwiseError('NOT_ACTIVE')
  const leave = parts.desk.enter(eventId)
  try {
    const end = parts.underWay.begin(actor.id, key)
    try {
      return await judge(parts, room, { ...request, pass, claims })
    } finally {
      end()
    }
  } finally {
    leave()
  }
}

/**
 * Why a visitor loses, where this server's memory says so and the ledger has no earlier call of theirs: the whole path
 * of most losers of a crowded sale. Null lets them pass, at once or after asking the ledger.
 */
export function turnAway(parts: TurnAwayParts, request: ReserveRequest): Promise<SeatwiseError | null> | null {
  const { actor, eventId, key, pass, wish } = request
  const copy = parts.seatMaps.peek(eventId)
  const known = copy === null || pass === undefined ? null : parts.passes.find(pass, actor.id, eventId, parts.now())
  const refusal = known === null ? null : (copy?.judge(wish) ?? null)
  if (known === null || refusal === null) return null
  const { roomId, number: ticketNumber } = known
  const claim = { operation: { actorId: actor.id, key }, roomId, ticketNumber }
  return parts.losers.mayHaveSucceeded(claim).then((maySucceed) => {
    if (maySucceed) return null
    parts.onTurnedAway()
    return toError(refusal)
  })
}

interface Visit extends ReserveRequest {
  readonly pass: string
  readonly claims: PassClaims
}

async function judge(parts: ReserveParts, room: Room, visit: Visit): Promise<ReserveAnswer> {
  const { actor, claims, eventId, key, wish } = visit
  const operation = { actorId: actor.id, key, fingerprint: fingerprintOfWish(eventId, wish) }
  const identity = parts.roomTokens.identities.of(actor.id)
  const refusal = parts.seatMaps.peek(eventId)?.judge(wish) ?? null
  // A visitor who names seats that look free goes straight to the gate, which checks the pass as well.
  if (refusal === null && 'seatIds' in wish && wish.seatIds.length <= room.settings.maxSeatsPerBuyer) {
    const decision = await parts.desk.decide(eventId, pendingClaimOf(room, visit, { operation, identity, wish }))
    return answer(parts, room, operation, decision, claims.number)
  }
  const holder = await room.holderOf(claims.number, claims.fence)
  if (holder === null || holder.identity !== identity) return await repeatOr(parts, operation, 'NOT_ACTIVE')
  if (refusal !== null && holder.reservedSeats === 0) {
    const { number } = claims
    if (!(await parts.losers.mayHaveSucceeded({ operation, roomId: room.id, ticketNumber: number }))) {
      parts.passes.learn(visit.pass, { actorId: actor.id, eventId, roomId: room.id, number, deadline: holder.deadline })
      throw toError(refusal)
    }
  }
  const { maxSeatsPerBuyer: left } = room.settings
  if (quantityOf(wish) > left) return await repeatOr(parts, operation, 'LIMIT_REACHED', { left })
  const own = holder.reservedSeats === 0 ? [] : await seatsOf(parts, room, claims.number)
  return await claim(parts, room, visit, { operation, identity, own })
}

interface ClaimContext {
  readonly operation: OperationKey
  readonly identity: string
  /** The visitor's own seats, which count as free when others are picked for them. */
  readonly own: readonly string[]
}

/** The claim for the line and the ledger. */
function pendingClaimOf(
  room: Room,
  { claims, actor }: Visit,
  { operation, identity, wish }: Pick<ClaimContext, 'operation' | 'identity'> & { wish: SeatClaimWish },
): PendingClaim {
  const { maxSeatsPerBuyer, reservationSeconds } = room.settings
  return {
    claim: {
      operation,
      // Ordered by time, so that reservations made together are neighbours in the ledger's indexes.
      reservationId: randomUUIDv7(),
      buyerId: actor.id,
      roomId: room.id,
      ticketNumber: claims.number,
      fence: claims.fence,
      wish,
      holdSeconds: reservationSeconds,
      seatsPerBuyerMax: maxSeatsPerBuyer,
    },
    operation: nameOf(operation),
    identity,
    quantity: quantityOf(wish),
  }
}

/**
 * Asks line and ledger; a visitor who asked for the best seats is offered others after losing them to another visitor.
 */
async function claim(
  parts: ReserveParts,
  room: Room,
  visit: Visit,
  { operation, identity, own }: ClaimContext,
): Promise<ReserveAnswer> {
  const { eventId, claims, wish } = visit
  for (let offer = 1; ; offer += 1) {
    const picked = await pickSeatsFor(parts.seatMaps, eventId, wish, { seed: claims.number * 31 + offer, own })
    if ('status' in picked) return await repeatOr(parts, operation, ...refusalOf(picked))
    const pending = pendingClaimOf(room, visit, { operation, identity, wish: picked.wish })
    const decision = await parts.desk.decide(eventId, pending).finally(picked.rubOut)
    if (decision.status === 'taken' && picked.isOffer && offer < OFFERS_MAX) {
      await parts.seatMaps.refresh(eventId)
      continue
    }
    return await answer(parts, room, operation, decision, claims.number)
  }
}

/** Not async: most calls have their answer at once, and a crowd waits behind them. */
function answer(
  parts: ReserveParts,
  room: Room,
  operation: OperationKey,
  decision: Decision,
  number: number,
): ReserveAnswer | Promise<ReserveAnswer> {
  switch (decision.status) {
    case 'held':
    case 'repeated':
      parts.passes.forget(room.id, number)
      return decision.status === 'held' && decision.shown !== null
        ? { statusCode: 201, id: decision.id, body: decision.shown }
        : { statusCode: 201, id: decision.reservation.id, body: { ...decision.reservation } }
    case 'stale':
    case 'no_time':
    case 'busy':
    case 'sold_out':
    case 'not_enough':
      // The gate knows nothing of earlier calls; a refusal by the ledger has already looked for them.
      return repeatOr(parts, operation, ...refusalOf(decision))
    case 'failed':
      throw decision.error
    case 'key_reused':
    case 'stale_pass':
    case 'paying':
    case 'taken':
    case 'unknown_seat':
    case 'limit_reached':
      throw toError(decision)
  }
}

/** A refusal, unless an earlier call took effect under the same key: then its stored answer. */
async function repeatOr(
  { ledger }: ReserveParts,
  operation: OperationKey,
  code: ErrorCode,
  details: Record<string, unknown> = {},
): Promise<ReserveAnswer> {
  const repeated = await repeat(ledger, operation)
  if (repeated !== null) return repeated
  throw new SeatwiseError(code, { details })
}

async function repeat(ledger: ReserveParts['ledger'], operation: OperationKey): Promise<ReserveAnswer | null> {
  const stored = await repeatAnswer(ledger, operation)
  return stored && { ...stored, id: String(stored.body.id) }
}

/**
 * A single seat is identified by its id, which is no secret. A hash has no spaces: neither is mistaken for the other.
 */
function fingerprintOfWish(eventId: string, wish: Wish): string {
  const isForOne = 'seatIds' in wish && wish.seatIds.length === 1
  return isForOne ? `reserve ${eventId} ${wish.seatIds[0]}` : fingerprintOf(`reserve ${eventId}`, wish)
}

const quantityOf = (wish: Wish | SeatClaimWish): number => ('seatIds' in wish ? wish.seatIds.length : wish.quantity)

async function seatsOf({ ledger }: ReserveParts, room: Room, number: number): Promise<string[]> {
  const reservation = await readReservationOfTicket(ledger.db, room.id, number)
  return reservation?.status === 'PENDING_PAYMENT' ? reservation.items.map(({ seatId }) => seatId) : []
}

/** A UUID, and a little more. The gate keeps anything longer as a hash, which is longer than this. */
const NAME_LENGTH_MAX = 40

/** The name by which the gate tells claims of one ticket apart. */
function nameOf({ key }: OperationKey): string {
  return key.length <= NAME_LENGTH_MAX ? key : hash('sha256', key, 'hex')
}

import { faults, type Reservation } from '@seatwise/domain'
import { type Call, type Primary, prepareStatement } from '../../engine/index.ts'
import { atSeatMap, type SeatChange, type SeatMapChange } from '../../seat-map/index.ts'
import type { Claim } from './claim.ts'

const GRANT_PLAIN_CLAIMS = prepareStatement(import.meta.url, 'grant-plain-claims.sql')

export interface PlainGrants extends SeatMapChange {
  /** By the id that the claim brought; claims that were left as they are have none. */
  readonly granted: ReadonlyMap<string, Reservation>
}

/**
 * Most claims of a sale name free seats, and their buyers have none yet: PostgreSQL decides and writes them in one
 * statement, so that the seat map's lock is not held during a round trip. Other claims are left untouched. Call it only
 * with claims that are `apart`. Null when there is no such event. Rule B49.
 */
export async function grantPlainClaims(
  ledger: Primary,
  eventId: string,
  claims: readonly Claim[],
): Promise<PlainGrants | null> {
  const beforeCommit = faults.on ? () => faults.reach('reserve.inside-transaction') : undefined
  const granting = { work: toGrant(eventId, claims), owners: ownersOf(claims), ...(beforeCommit && { beforeCommit }) }
  const done = await atSeatMap<{ reservations: GrantedRow[] }>(ledger, eventId, granting)
  if (done === null) return null
  const { map, rows } = done
  const times = { createdAt: map.at, updatedAt: map.at, paidAt: null }
  const expiresAt = new Date(map.at.getTime() + (claims[0]?.holdSeconds ?? 0) * 1_000)
  const granted = new Map(rows[0]?.reservations.map((row) => [row.id, { ...row, ...times, expiresAt }]))
  const changes = claims.flatMap(({ reservationId, wish }): SeatChange[] =>
    granted.has(reservationId) ? seatIdsIn(wish).map((seatId) => ({ seatId, status: 'held' })) : [],
  )
  const { available, held } = map.counts
  return {
    granted,
    version: changes.length === 0 ? map.version : map.version + 1,
    counts: { ...map.counts, available: available - changes.length, held: held + changes.length },
    offered: map.offered,
    changes,
  }
}

/** The times are text in here; they are known. */
type GrantedRow = Omit<Reservation, 'expiresAt' | 'paidAt' | 'createdAt' | 'updatedAt'>

/** For whom claims write reservations and answers. */
export function ownersOf(claims: readonly Claim[]): string[] {
  return [...new Set(claims.map(({ buyerId }) => buyerId))]
}

const seatIdsIn = (wish: Claim['wish']): readonly string[] => ('seatIds' in wish ? wish.seatIds : [])

/**
 * Whether claims name their seats and no variants, and come from one room for equally long, under keys of the buyers themselves, and no two
 * of them want the same seat or come from the same buyer or ticket.
 */
export function areApart(claims: readonly Claim[]): boolean {
  const [seats, buyers, tickets] = [new Set(), new Set(), new Set()]
  let wanted = 0
  if (claims.some(({ variants }) => variants !== undefined)) return false
  for (const { wish, buyerId, operation, ticketNumber, seatsPerBuyerMax, roomId, holdSeconds } of claims) {
    if (!('seatIds' in wish) || wish.seatIds.length > seatsPerBuyerMax || operation.actorId !== buyerId) return false
    if (roomId !== claims[0]?.roomId || holdSeconds !== claims[0].holdSeconds) return false
    wanted += wish.seatIds.length
    for (const id of wish.seatIds) seats.add(id)
    buyers.add(buyerId)
    tickets.add(ticketNumber)
  }
  return seats.size === wanted && buyers.size === claims.length && tickets.size === claims.length
}

function toGrant(eventId: string, claims: readonly Claim[]): Call {
  const wanted = claims.flatMap((claim) => seatIdsIn(claim.wish).map((seatId) => ({ ...claim, seatId })))
  const parameters = [
    eventId,
    claims[0]?.roomId,
    claims[0]?.holdSeconds,
    wanted.map(({ seatId }) => seatId),
    wanted.map(({ reservationId }) => reservationId),
    wanted.map(({ wish }) => seatIdsIn(wish).length),
    wanted.map(({ buyerId }) => buyerId),
    wanted.map(({ ticketNumber }) => ticketNumber),
    wanted.map(({ fence }) => fence),
    wanted.map(({ operation }) => operation.key),
    wanted.map(({ operation }) => operation.fingerprint),
  ]
  return { statement: GRANT_PLAIN_CLAIMS, parameters }
}

import { faults } from '@seatwise/domain'
import { type Call, type Primary, plainArray, prepareStatement, textArray } from '../../engine/index.ts'
import { atSeatMap, type SeatChange, type SeatMapChange } from '../../seat-map/index.ts'
import type { Claim } from './claim.ts'
import { GrantedClaim } from './granted-claim.ts'

const GRANT_PLAIN_CLAIMS = prepareStatement(import.meta.url, 'grant-plain-claims.sql')

export interface PlainGrants extends SeatMapChange {
  /** One for each claim, in their order; null for those that were left as they are. */
  readonly granted: readonly (GrantedClaim | null)[]
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
  const done = await atSeatMap<GrantedRow>(ledger, eventId, granting)
  if (done === null) return null
  const { map, rows } = done
  const texts = rows[0]?.shown?.split('\n') ?? []
  const until = new Date(map.at.getTime() + (claims[0]?.holdSeconds ?? 0) * 1_000)
  const changes: SeatChange[] = []
  let next = 0
  const granted = claims.map((claim) => {
    const shown = texts[next]
    if (shown === undefined || !shown.startsWith(`{"id":"${claim.reservationId}"`)) return null
    next += 1
    const seatIds = seatIdsOf(claim)
    for (const seatId of seatIds) changes.push({ seatId, status: 'held' })
    return new GrantedClaim(claim, { quantity: seatIds.length, until, shown })
  })
  if (next < texts.length) throw new Error('The ledger grants what was asked for, in that order')
  const { available, held } = map.counts
  return {
    granted,
    version: changes.length === 0 ? map.version : map.version + 1,
    counts: { ...map.counts, available: available - changes.length, held: held + changes.length },
    changes,
  }
}

interface GrantedRow {
  /** JSON, a line for each. */
  readonly shown: string | null
}

/** For whom claims write reservations and answers. */
export function ownersOf(claims: readonly Claim[]): string[] {
  return [...new Set(claims.map(({ buyerId }) => buyerId))]
}

const seatIdsOf = ({ wish }: Claim): readonly string[] => ('seatIds' in wish ? wish.seatIds : [])

/**
 * Whether claims name their seats and come from one room for equally long, under keys of the buyers themselves, and no two
 * of them want the same seat or come from the same buyer or ticket.
 */
export function areApart(claims: readonly Claim[]): boolean {
  const [seats, buyers, tickets] = [new Set(), new Set(), new Set()]
  let wanted = 0
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
  const wanted: { claim: Claim; seatId: string; quantity: number }[] = []
  for (const claim of claims) {
    const seatIds = seatIdsOf(claim)
    for (const seatId of seatIds) wanted.push({ claim, seatId, quantity: seatIds.length })
  }
  const parameters = [
    eventId,
    claims[0]?.roomId,
    claims[0]?.holdSeconds,
    textArray(wanted, ({ seatId }) => seatId),
    plainArray(wanted, ({ claim }) => claim.reservationId),
    plainArray(wanted, ({ quantity }) => quantity),
    plainArray(wanted, ({ claim }) => claim.buyerId),
    plainArray(wanted, ({ claim }) => claim.ticketNumber),
    plainArray(wanted, ({ claim }) => claim.fence),
    textArray(wanted, ({ claim }) => claim.operation.key),
    textArray(wanted, ({ claim }) => claim.operation.fingerprint),
  ]
  return { statement: GRANT_PLAIN_CLAIMS, parameters }
}

import type { Fee, Variant } from '@seatwise/domain'
import { type Call, prepareStatement } from '../../engine/index.ts'
import { type FreeFrom, type OpenSeatMap, readKeptSeats, type SeatFact, seatsToRead } from '../../seat-map/index.ts'
import type { Claim } from './claim.ts'

const READ_CLAIMS = prepareStatement(import.meta.url, 'read-claims.sql')
const READ_OVERDUE = prepareStatement(import.meta.url, 'read-overdue.sql')
const READ_FREE_SEATS = prepareStatement(import.meta.url, 'read-free-seats.sql')
const READ_SEAT_TYPES = prepareStatement(import.meta.url, 'read-seat-types.sql')

/** Most overdue reservations that one transaction ends besides its own work. */
export const OVERDUE_MAX = 200

/** What is known of one claim before it is decided, and stands in its way. */
export interface ClaimFact {
  /** The account that gets the seats, because it has adopted the guest who claims; else null. */
  readonly adoptedBy: string | null
  readonly fingerprint: string | null
  readonly answer: Record<string, unknown> | null
  /** The visit is over, even if the line has not heard of it yet. */
  readonly hasPaid: boolean
  /** The ticket has shown a newer pass. */
  readonly isOutdated: boolean
  readonly pendingId: string | null
  readonly pendingUntil: Date | null
  readonly isPaying: boolean
  /** Of all who stand with the ticket, together. */
  readonly seatsOwned: number
  readonly pendingBuyerId: string | null
  /** How many visitors stand with the ticket; null for the one it is. */
  readonly people: number | null
}

export interface SeatTypeFact {
  readonly id: string
  readonly name: string
  readonly price: number
  readonly variants: readonly Variant[]
  readonly currency: string
  readonly isNumbered: boolean
  readonly isHidden: boolean
  /** Of the event, the same with every type. */
  readonly taxThousandths: number
  readonly fees: readonly Fee[]
  /** Only claims with an access code are granted now. */
  readonly isPresale: boolean
  readonly isCancelled: boolean
}

/** Of most claims of a sale: nothing. */
const NOTHING_KNOWN: ClaimFact = Object.freeze({
  ...{ adoptedBy: null, fingerprint: null, answer: null, hasPaid: false, isOutdated: false },
  ...{ pendingId: null, pendingUntil: null, isPaying: false, seatsOwned: 0 },
  ...{ pendingBuyerId: null, people: null },
})

/** Everything the decision needs, read under the lock. */
export interface ClaimFacts {
  /** One for each claim, in their order. */
  readonly claims: readonly ClaimFact[]
  /** Expired reservations: they end before anything is decided. */
  readonly overdue: readonly string[]
  readonly seats: readonly SeatFact[]
  /** Of the types that were looked through: the seats before it were read if they are free. */
  readonly readUpTo: FreeFrom
  readonly seatTypes: readonly SeatTypeFact[]
}

/** What the calls of `claimReads` return. */
export type ClaimRows = [KnownClaimRow[], SeatFact[], { id: string }[], SeatTypeFact[]]

interface KnownClaimRow extends ClaimFact {
  /** Of the claim in its batch, from 1. */
  readonly place: number
}

/** What is known of each claim, in their order. */
export function factsOf(claims: readonly Claim[], rows: readonly KnownClaimRow[]): ClaimFact[] {
  const known = new Map(rows.map(({ place, ...fact }) => [place, fact]))
  return claims.map((_, index) => known.get(index + 1) ?? NOTHING_KNOWN)
}

/** What has to be read for every claim. */
export function claimReads(eventId: string, claims: readonly Claim[]): Call[] {
  return [
    aboutClaims(eventId, claims),
    seatsToRead(eventId, [...new Set(claims.flatMap(wantedSeats))]),
    overdueOf(eventId, OVERDUE_MAX + wantedUnnumbered(claims)),
    { statement: READ_SEAT_TYPES, parameters: [eventId] },
  ]
}

/** Completes it with what only some claims need. */
export async function readClaimFacts(
  map: OpenSeatMap,
  claims: readonly Claim[],
  facts: readonly ClaimFact[],
  [, wanted, overdueRows, seatTypes]: ClaimRows,
): Promise<ClaimFacts> {
  const quantities = wantedOfTypes(claims)
  const free = await readFreeSeats(map, quantities)
  const overdue = new Set(overdueRows.map(({ id }) => id))
  // Expired reservations of the claimed seats end now, however many others are overdue.
  const inTheWay = [
    ...wanted.map(({ reservationId, heldUntil }) => [reservationId, heldUntil] as const),
    ...facts.map(({ pendingId, pendingUntil }) => [pendingId, pendingUntil] as const),
  ]
  for (const [id, until] of inTheWay) if (id !== null && until !== null && until <= map.at) overdue.add(id)
  const pending = facts.flatMap(({ pendingId }) => pendingId ?? [])
  const kept = await readKeptSeats(map.transaction, [...new Set([...overdue, ...pending])])
  const seats = [...new Map([...wanted, ...free, ...kept].map((seat) => [seat.id, seat])).values()]
  return { claims: facts, overdue: [...overdue], seats, readUpTo: lookedThrough(free, quantities), seatTypes }
}

function aboutClaims(eventId: string, claims: readonly Claim[]): Call {
  const parameters = [
    eventId,
    claims.map(({ operation }) => operation.actorId),
    claims.map(({ operation }) => operation.key),
    claims.map(({ roomId }) => roomId),
    claims.map(({ ticketNumber }) => ticketNumber),
    claims.map(({ buyerId }) => buyerId),
    claims.map(({ operation }) => operation.fingerprint),
    claims.map(({ fence }) => fence),
  ]
  return { statement: READ_CLAIMS, parameters }
}

export async function readOverdue(map: OpenSeatMap, max: number): Promise<string[]> {
  const { statement, parameters } = overdueOf(map.eventId, max)
  const rows = await map.transaction.run<{ id: string }>(statement, parameters)
  return rows.map(({ id }) => id)
}

function overdueOf(eventId: string, max: number): Call {
  return { statement: READ_OVERDUE, parameters: [eventId, max] }
}

/** By type, how many unnumbered seats are wanted. */
function wantedOfTypes(claims: readonly Claim[]): ReadonlyMap<string, number> {
  const quantities = new Map<string, number>()
  // Some of the first free ones may be wanted by id as well: then the next ones must be known, too.
  const byId = claims.reduce((sum, claim) => sum + wantedSeats(claim).length, 0)
  for (const { wish } of claims) {
    if ('seatIds' in wish) continue
    quantities.set(wish.seatTypeId, (quantities.get(wish.seatTypeId) ?? byId) + wish.quantity)
  }
  return quantities
}

async function readFreeSeats(map: OpenSeatMap, quantities: ReadonlyMap<string, number>): Promise<SeatFact[]> {
  const types = [...quantities.keys()]
  if (types.length === 0) return []
  const froms = types.map((type) => map.freeFrom[type] ?? 0)
  const parameters = [map.eventId, types, [...quantities.values()], froms]
  return await map.transaction.run<SeatFact>(READ_FREE_SEATS, parameters)
}

/** Up to where the free seats of each type were read. */
function lookedThrough(free: readonly SeatFact[], quantities: ReadonlyMap<string, number>): FreeFrom {
  const byType = Map.groupBy(free, ({ seatTypeId }) => seatTypeId)
  const readUpTo = [...quantities].map(([type, quantity]) => {
    const found = byType.get(type) ?? []
    const isAll = found.length < quantity
    return [type, isAll ? PAST_ALL : (found.at(-1)?.ordinal ?? 0) + 1] as const
  })
  return Object.fromEntries(readUpTo)
}

/** Above every ordinal: the largest integer of the ledger. */
const PAST_ALL = 2_147_483_647

const wantedSeats = ({ wish }: Claim): readonly string[] => ('seatIds' in wish ? wish.seatIds : [])

/** Each overdue reservation returns at least one seat: ending this many is enough for claims by quantity. */
function wantedUnnumbered(claims: readonly Claim[]): number {
  return claims.reduce((sum, { wish }) => sum + ('seatIds' in wish ? 0 : wish.quantity), 0)
}

import { faults } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import type { Claim, ClaimReply } from './claim.ts'
import { decideClaims, type Placed } from './decide-claims.ts'
import { type EndedReservation, endReservations, newsOfEnd } from './end-reservations.ts'
import { areApart, grantPlainClaims } from './grant-plain-claims.ts'
import { isAboutTheWork, nothingIfAboutTheWork } from './is-about-the-work.ts'
import { type ClaimRows, claimReads, readClaimFacts } from './read-facts.ts'
import { type OpenSeatMap, type SeatChange, type WithMap, withSeatMap } from './seat-map.ts'
import { seatsToSet } from './set-seats.ts'
import { type News, newsToTell } from './tell.ts'
import { reservationsToWrite } from './write-reservations.ts'

export interface ClaimsOutcome {
  /** One for each claim, in their order. */
  readonly replies: readonly ClaimReply[]
  /** Holds whose time was over and that these claims swept up on their way. */
  readonly expired: readonly EndedReservation[]
}

/**
 * Claims seats of one event, each claim all or nothing, the earlier first, all in one transaction, or two when only some
 * of them are plain. Losing is a reply and never an error. When the ledger cannot digest one of them, they are tried one
 * by one, so that a bad claim fails alone.
 * Null when there is no such event. Throws when the ledger is away: then nobody knows, and asking again is safe.
 */
export async function claimSeats(
  db: Kysely<Schema>,
  eventId: string,
  claims: readonly Claim[],
): Promise<WithMap<ClaimsOutcome> | null> {
  const outcome = await claimTogether(db, eventId, claims)
  if (faults.on) await faults.reach('reserve.after-commit')
  return outcome
}

/**
 * Those that are plain first, then the others. When the ledger goes away in between, everybody is told that nobody
 * knows, also those who have their seats by then: they ask again, and the gate waits until it hears.
 */
async function claimTogether(
  db: Kysely<Schema>,
  eventId: string,
  claims: readonly Claim[],
): Promise<WithMap<ClaimsOutcome> | null> {
  const grants = areApart(claims) ? await grantPlainClaims(db, eventId, claims).catch(nothingIfAboutTheWork) : null
  if (grants === null || grants.changes.length === 0) return await decideTogether(db, eventId, claims)
  const { granted, ...map } = grants
  const others = claims.filter((_, index) => granted[index] === null)
  const rest = others.length === 0 ? null : await decideTogether(db, eventId, others)
  const repliesToOthers = [...(rest?.replies ?? [])]
  const replies = granted.map((grant): ClaimReply => {
    const reply = grant ?? repliesToOthers.shift()
    if (reply === undefined) throw new Error('The ledger answers about every claim')
    return reply
  })
  const changes = [...map.changes, ...(rest?.changes ?? [])]
  return { ...map, ...rest, replies, changes, expired: rest?.expired ?? [] }
}

async function decideTogether(db: Kysely<Schema>, eventId: string, claims: readonly Claim[]) {
  try {
    return await claimAtOnce(db, eventId, claims)
  } catch (error) {
    if (!isAboutTheWork(error)) throw error
    return await claimOneByOne(db, eventId, claims)
  }
}

async function claimOneByOne(db: Kysely<Schema>, eventId: string, claims: readonly Claim[]) {
  const replies: ClaimReply[] = []
  const expired: EndedReservation[] = []
  const changes: SeatChange[] = []
  let latest = await withSeatMap<ClaimsOutcome>(db, eventId, async () => ({
    result: { replies, expired },
    moves: [],
  }))
  for (const claim of claims) {
    try {
      const outcome = await claimAtOnce(db, eventId, [claim])
      if (outcome === null) return null
      latest = outcome
      replies.push(...outcome.replies)
      expired.push(...outcome.expired)
      changes.push(...outcome.changes)
    } catch (error) {
      if (!isAboutTheWork(error)) throw error
      replies.push({ status: 'failed', error })
    }
  }
  return latest === null ? null : { ...latest, replies, expired, changes }
}

async function claimAtOnce(db: Kysely<Schema>, eventId: string, claims: readonly Claim[]) {
  const work = (map: OpenSeatMap, rows: ClaimRows) => claimInside(map, claims, rows)
  return await withSeatMap<ClaimsOutcome, ClaimRows>(db, eventId, work, claimReads(eventId, claims))
}

async function claimInside(map: OpenSeatMap, claims: readonly Claim[], rows: ClaimRows) {
  const facts = await readClaimFacts(map, claims, rows)
  const { replies, placed, canceled, desk } = decideClaims(map, claims, facts)
  const expired = await endReservations(map, facts.overdue, 'EXPIRED')
  const replaced = await endReservations(map, canceled, 'CANCELED')
  const news = [
    ...expired.map((ended) => newsOfEnd(map, ended, 'EXPIRED')),
    ...replaced.map((ended) => newsOfEnd(map, ended, 'CANCELED')),
    ...placed.flatMap((one) => newsOfReplaced(map, one)),
  ]
  if (faults.on) await faults.reach('reserve.inside-transaction')
  return {
    result: { replies, expired },
    writes: [...reservationsToWrite(map, placed), ...seatsToSet(desk), ...newsToTell(news)],
    moves: desk.moves(),
    tickets: placed.map(({ claim }) => claim.ticketNumber),
    freeFrom: desk.freeFrom(facts.readUpTo),
  }
}

/** The statement that writes a reservation tells of it; here is what happened to it in the same batch. */
function newsOfReplaced(map: OpenSeatMap, { claim, isReplaced }: Placed): News[] {
  const { reservationId, roomId, ticketNumber, buyerId } = claim
  return isReplaced ? [newsOfEnd(map, { reservationId, buyerId, roomId, ticketNumber }, 'CANCELED')] : []
}

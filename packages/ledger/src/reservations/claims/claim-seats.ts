import { failAlone, faults, type Outcome } from '@seatwise/domain'
import { isAboutTheWork, nothingIfAboutTheWork, type Primary } from '../../engine/index.ts'
import { type News, newsToTell } from '../../outbox/index.ts'
import { type OpenSeatMap, seatsToSet, type WithMap, withSeatMap } from '../../seat-map/index.ts'
import { type EndedReservation, endReservations, newsOfEnd } from '../ending/end-reservations.ts'
import type { Claim, ClaimReply } from './claim.ts'
import { readCodeFacts } from './code-facts.ts'
import { decideClaims, type Placed } from './decide-claims.ts'
import { areApart, grantPlainClaims, ownersOf } from './grant-plain-claims.ts'
import { type ClaimRows, claimReads, factsOf, readClaimFacts } from './read-facts.ts'
import { reservationsToWrite } from './write-reservations.ts'

export interface ClaimsOutcome {
  /** One for each claim, in their order. */
  readonly replies: readonly ClaimReply[]
  /** Expired holds that these claims ended on their way. */
  readonly expired: readonly EndedReservation[]
}

/**
 * Claims seats of one event, each claim all or nothing, the earlier first, all in one transaction, or two when only some
 * of them are plain. Losing is a reply and never an error. A claim that makes its transaction fail fails alone (I33):
 * the others are decided.
 * Null when there is no such event. Throws when the ledger is away: the outcome is unknown then, and a retry is safe.
 */
export async function claimSeats(
  ledger: Primary,
  eventId: string,
  claims: readonly Claim[],
): Promise<WithMap<ClaimsOutcome> | null> {
  const outcome = await claimTogether(ledger, eventId, claims)
  if (faults.on) await faults.reach('reserve.after-commit')
  return outcome
}

/**
 * The plain claims first, then the others. When the ledger goes away in between, every claim of the batch fails with an
 * unknown outcome, also those that were granted by then: their buyers retry, and the gate waits until it hears.
 */
async function claimTogether(
  ledger: Primary,
  eventId: string,
  claims: readonly Claim[],
): Promise<WithMap<ClaimsOutcome> | null> {
  // No two of these want the same, so that it does not matter which are decided first.
  const plain = areApart(claims) ? claims.filter(({ code }) => code === undefined) : []
  const grants = plain.length === 0 ? null : await grantPlainClaims(ledger, eventId, plain).catch(nothingIfAboutTheWork)
  if (grants === null || grants.granted.size === 0) return await decideTogether(ledger, eventId, claims)
  const { granted, ...map } = grants
  const others = claims.filter(({ reservationId }) => !granted.has(reservationId))
  const rest = others.length === 0 ? null : await decideTogether(ledger, eventId, others)
  const repliesToOthers = rest?.replies.values()
  const replies = claims.map(({ reservationId }): ClaimReply => {
    const reservation = granted.get(reservationId)
    const reply: ClaimReply | undefined = reservation
      ? { status: 'held', reservation, replaced: null }
      : repliesToOthers?.next().value
    if (reply === undefined) throw new Error('The ledger answers about every claim')
    return reply
  })
  const changes = [...map.changes, ...(rest?.changes ?? [])]
  return { ...map, ...rest, replies, changes, expired: rest?.expired ?? [] }
}

/** Decides claims in one transaction; if that fails because of one claim, in halves, until that claim fails alone. */
async function decideTogether(
  ledger: Primary,
  eventId: string,
  claims: readonly Claim[],
): Promise<WithMap<ClaimsOutcome> | null> {
  const decided: WithMap<ClaimsOutcome>[] = []
  let isKnown = true
  const outcomes = await failAlone<Claim, ClaimReply | null>(claims, {
    isAboutItems: isAboutTheWork,
    run: async (some) => {
      const outcome = await claimAtOnce(ledger, eventId, some)
      if (outcome === null) {
        isKnown = false
        return some.map(() => null)
      }
      decided.push(outcome)
      return outcome.replies
    },
  })
  // All claims failed: the reply still needs the map's version and counts.
  const latest = decided.at(-1) ?? (isKnown ? await withSeatMap(ledger, eventId, lookOnly) : null)
  if (latest === null) return null
  return {
    ...latest,
    replies: outcomes.map((outcome) => replyOf(outcome)),
    expired: decided.flatMap(({ expired }) => expired),
    changes: decided.flatMap(({ changes }) => changes),
  }
}

const lookOnly = async () => ({ result: {}, moves: [] })

function replyOf(outcome: Outcome<ClaimReply | null>): ClaimReply {
  if ('error' in outcome) return { status: 'failed', error: outcome.error }
  if (outcome.reply === null) throw new Error('An event does not go while its claims are decided')
  return outcome.reply
}

async function claimAtOnce(ledger: Primary, eventId: string, claims: readonly Claim[]) {
  const work = (map: OpenSeatMap, rows: ClaimRows) => claimInside(map, claims, rows)
  const needs = { reads: claimReads(eventId, claims), owners: ownersOf(claims) }
  return await withSeatMap<ClaimsOutcome, ClaimRows>(ledger, eventId, work, needs)
}

async function claimInside(map: OpenSeatMap, asked: readonly Claim[], rows: ClaimRows) {
  const known = factsOf(asked, rows[0])
  const claims = asked.map((claim, index) => ownedBy(claim, known[index]?.adoptedBy ?? null))
  const facts = await readClaimFacts(map, claims, known, rows)
  const codes = await readCodeFacts(map, claims, facts)
  const { replies, placed, canceled, desk } = decideClaims(map, claims, facts, codes)
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
    tickets: placed.flatMap(({ claim }) => claim.ticketNumber ?? []),
    freeFrom: desk.freeFrom(facts.readUpTo),
  }
}

/** A claim in the name of the account that has adopted its guest, if one has. Rule B50. */
function ownedBy(claim: Claim, owner: string | null): Claim {
  return owner === null ? claim : { ...claim, buyerId: owner, operation: { ...claim.operation, actorId: owner } }
}

/** The statement that writes a reservation tells of it; here is what happened to it in the same batch. */
function newsOfReplaced(map: OpenSeatMap, { claim, isReplaced }: Placed): News[] {
  const { reservationId, roomId, ticketNumber, buyerId } = claim
  return isReplaced ? [newsOfEnd(map, { reservationId, buyerId, roomId, ticketNumber }, 'CANCELED')] : []
}

import type { Reservation } from '@seatwise/domain'
import type { Call } from '../../engine/index.ts'
import { newsToTell } from '../../outbox/index.ts'
import type { FreeFrom, OpenSeatMap, SeatDesk } from '../../seat-map/index.ts'
import { type EndedReservation, endReservations, newsOfEnd } from '../ending/end-reservations.ts'
import type { Claim, ClaimRefusal } from './claim.ts'
import { readCodeFacts } from './code-facts.ts'
import { decideClaims } from './decide-claims.ts'
import { type ClaimRows, claimReads, factsOf, readClaimFacts } from './read-facts.ts'
import { reservationsToWrite } from './write-reservations.ts'

/** A claim without a ticket: the seller decides who buys. */
export interface OutsideClaim extends Claim {
  readonly roomId: null
  readonly ticketNumber: null
  readonly fence: null
}

export type OutsideOutcome =
  | {
      /** The seats are held on the desk, and `writes` are to be run first; the caller sells them. */
      readonly status: 'placed'
      readonly reservation: Reservation
      readonly desk: SeatDesk
      readonly writes: readonly Call[]
      readonly freeFrom: FreeFrom
      /** Expired holds that ended on the way. */
      readonly expired: readonly EndedReservation[]
    }
  /** The same key and fingerprint again: the body that was answered then. */
  | { readonly status: 'repeated'; readonly answer: Record<string, unknown> }
  | ClaimRefusal

/** What `placeOutside` needs to read right after the lock. */
export const outsideReads = (eventId: string, claim: OutsideClaim): Call[] => claimReads(eventId, [claim])

/** Decides a claim without a ticket by the rules that all claims have, in a transaction of the caller's. */
export async function placeOutside(map: OpenSeatMap, claim: OutsideClaim, rows: ClaimRows): Promise<OutsideOutcome> {
  const known = factsOf([claim], rows[0])
  const [{ fingerprint, answer } = { fingerprint: null, answer: null }] = known
  if (fingerprint !== null) {
    const isSame = fingerprint === claim.operation.fingerprint && answer !== null
    return isSame ? { status: 'repeated', answer } : { status: 'key_reused' }
  }
  const facts = await readClaimFacts(map, [claim], known, rows)
  const codes = await readCodeFacts(map, [claim], facts)
  const { replies, placed, desk } = decideClaims(map, [claim], facts, codes)
  const [reply] = replies
  if (reply?.status !== 'held') return refusalIn(reply)
  const expired = await endReservations(map, facts.overdue, 'EXPIRED')
  const news = newsToTell(expired.map((ended) => newsOfEnd(map, ended, 'EXPIRED')))
  return {
    ...{ status: 'placed', reservation: reply.reservation, desk, expired },
    writes: [...news, ...reservationsToWrite(map, placed)],
    freeFrom: desk.freeFrom(facts.readUpTo),
  }
}

function refusalIn(reply: ReturnType<typeof decideClaims>['replies'][number] | undefined): ClaimRefusal {
  if (reply === undefined || reply.status === 'held' || reply.status === 'repeated' || reply.status === 'failed') {
    throw new Error('A claim that is neither placed nor repeated is refused')
  }
  return reply
}

import { badField, readShortCode, SeatwiseError } from '@seatwise/domain'
import { checkIn, findShortCode, readEticket, type StoredAnswer, type UsedEticket } from '@seatwise/ledger'
import { type Actor, mayDo, organizationsFor } from '../../http/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { fingerprintOf } from '../operations/idempotency-key.ts'
import { repeatAnswer } from '../operations/repeat-answer.ts'
import { readEticketCode } from './eticket-code.ts'
import type { ShortCodeGuesses } from './short-code-guesses.ts'

export interface Scan {
  /** Exactly one of the two is given. */
  readonly code?: string
  readonly shortCode?: string
  /** The event this scanner admits for; without it, any event. */
  readonly eventId?: string
  readonly door?: string
  readonly scanId?: string
}

export interface CheckInParts extends Pick<BoxOfficeServices, 'identity' | 'ledger'> {
  /** Null where nothing is limited. */
  readonly guesses: ShortCodeGuesses | null
}

export interface Scanner {
  readonly actor: Actor
  readonly key: string | null
  readonly address: string
}

/**
 * Admits the holder of an e-ticket; the first scan wins. Nothing is written unless every check passes. A scanner that
 * lost the answer retries with the same key and gets the same answer; otherwise an honest guest would be sent away.
 */
export async function scanEticket(
  parts: CheckInParts,
  scan: Scan,
  { actor, key, address }: Scanner,
): Promise<StoredAnswer['body']> {
  const { ledger } = parts
  const { eventId } = scan
  const claims = await findEticket(parts, scan, actor, address)
  if (eventId !== undefined && eventId.toLowerCase() !== claims.eventId) throw new SeatwiseError('WRONG_EVENT')
  // Only at the doors of the caller's organizations; elsewhere there is no such e-ticket.
  if (actor.role !== 'admin') {
    const eticket = await readEticket(ledger.db, claims.id)
    if (eticket !== null && !mayDo(actor, 'check_in', eticket.organizationId)) throw unknownEticket()
  }
  const operation = { actorId: actor.id, key: key ?? '', fingerprint: fingerprintOf('check-in', claims.id) }
  const stored = key === null ? null : await repeatAnswer(ledger, operation)
  if (stored !== null) return stored.body
  const answerOf = (eticket: UsedEticket) => ({ statusCode: 200, body: letIn(eticket) })
  const { generation } = claims
  const scanned = {
    eticketId: claims.id,
    generation,
    by: actor.id,
    scan: { id: scan.scanId, door: scan.door?.trim() ?? null },
    ...(key === null ? {} : { keep: { operation, answerOf } }),
  }
  const outcome = await checkIn(ledger, scanned)
  switch (outcome.status) {
    case 'checked_in':
      return letIn(outcome.eticket)
    case 'already_used': {
      const { checkedInAt } = outcome.eticket
      throw new SeatwiseError('ALREADY_USED', { details: { checkedInAt: checkedInAt.toISOString() } })
    }
    case 'void':
      throw new SeatwiseError('ETICKET_VOID')
    case 'unknown':
      throw unknownEticket()
  }
}

function letIn(eticket: UsedEticket): StoredAnswer['body'] {
  const { id, eventId, checkedInAt, seatTypeName: type, row, number, holder } = eticket
  return { eticketId: id, eventId, checkedInAt: checkedInAt.toISOString(), seat: { type, row, number }, holder }
}

/** What a scanned code or a typed one names. A short code is always of the current generation. */
interface ScannedEticket {
  readonly id: string
  readonly eventId: string
  readonly generation?: number | undefined
}

/** The e-ticket that was scanned or typed. */
async function findEticket(
  parts: CheckInParts,
  { code, shortCode, eventId }: Scan,
  actor: Actor,
  address: string,
): Promise<ScannedEticket> {
  if ((code === undefined) === (shortCode === undefined)) {
    throw badField('code', 'must be given, or shortCode instead of it, and not both')
  }
  if (shortCode !== undefined) {
    return await findTyped(parts, { typed: shortCode, eventId: eventId?.toLowerCase() ?? null }, actor, address)
  }
  const claims = readEticketCode(parts.identity.keys, code ?? '')
  if (claims === null) throw new SeatwiseError('BAD_ETICKET')
  return claims
}

/** A signed code cannot be guessed, a short one can: wrong ones are limited before they are looked up. Rule B175. */
async function findTyped(
  { ledger, guesses }: CheckInParts,
  { typed, eventId }: { readonly typed: string; readonly eventId: string | null },
  actor: Actor,
  address: string,
): Promise<ScannedEticket> {
  const guess = guesses?.begin(actor.id, address)
  const shortCode = readShortCode(typed)
  if (shortCode === null) throw new SeatwiseError('BAD_ETICKET')
  const organizationIds = organizationsFor(actor, 'check_in')
  const found = await findShortCode(ledger.db, { shortCode, eventId, organizationIds })
  if (found.status === 'unknown') throw unknownEticket()
  guess?.succeeded()
  if (found.status === 'ambiguous') throw badField('eventId', 'is missing: e-tickets of several events have this code')
  return found
}

const unknownEticket = () => new SeatwiseError('NOT_FOUND', { message: 'There is no such e-ticket' })

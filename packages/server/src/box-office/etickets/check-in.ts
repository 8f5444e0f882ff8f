import { SeatwiseError } from '@seatwise/domain'
import { checkIn, readEticket, type StoredAnswer, type UsedEticket } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { fingerprintOf } from '../operations/idempotency-key.ts'
import { repeatAnswer } from '../operations/repeat-answer.ts'
import { readEticketCode } from './eticket-code.ts'

export interface Scan {
  readonly code: string
  /** The event this scanner admits for; without it, any event. */
  readonly eventId?: string
}

/**
 * Admits the holder of an e-ticket; the first scan wins. Nothing is written unless every check passes. A scanner that
 * lost the answer retries with the same key and gets the same answer; otherwise an honest guest would be sent away.
 */
export async function scanEticket(
  { identity, ledger }: Pick<BoxOfficeServices, 'identity' | 'ledger'>,
  { code, eventId }: Scan,
  { actor, key }: { readonly actor: Actor; readonly key: string | null },
): Promise<StoredAnswer['body']> {
  const claims = readEticketCode(identity.keys, code)
  if (claims === null) throw new SeatwiseError('BAD_ETICKET')
  if (eventId !== undefined && eventId.toLowerCase() !== claims.eventId) throw new SeatwiseError('WRONG_EVENT')
  // Staff work at every door; an organiser only at the doors of their own events.
  if (actor.role === 'organizer') {
    const eticket = await readEticket(ledger.db, claims.id)
    if (eticket !== null && eticket.organizerId !== actor.id) throw new SeatwiseError('FORBIDDEN')
  }
  const operation = { actorId: actor.id, key: key ?? '', fingerprint: fingerprintOf('check-in', claims.id) }
  const stored = key === null ? null : await repeatAnswer(ledger, operation)
  if (stored !== null) return stored.body
  const answerOf = (eticket: UsedEticket) => ({ statusCode: 200, body: letIn(eticket) })
  const scanned = { eticketId: claims.id, by: actor.id, ...(key === null ? {} : { keep: { operation, answerOf } }) }
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
      throw new SeatwiseError('NOT_FOUND', { message: 'There is no such e-ticket' })
  }
}

function letIn({ id, eventId, checkedInAt, seatTypeName: type, row, number }: UsedEticket): StoredAnswer['body'] {
  return { eticketId: id, eventId, checkedInAt: checkedInAt.toISOString(), seat: { type, row, number } }
}

import { SeatwiseError } from '@seatwise/domain'
import { checkIn, readEticket } from '@seatwise/seats'
import type { Actor } from '../access/access.ts'
import type { Services } from '../services.ts'
import { readEticketCode } from './eticket-code.ts'

export interface Scan {
  readonly code: string
  /** Of which event the scanner lets people in; without it, of any. */
  readonly eventId?: string
}

export interface LetIn {
  readonly eticketId: string
  readonly eventId: string
  readonly checkedInAt: string
  readonly seat: { readonly type: string; readonly row: string | null; readonly number: number | null }
}

/** Lets the holder of an e-ticket in; the first scan wins. Nothing is written unless everything is right. */
export async function scanEticket(
  { identity, ledger }: Pick<Services, 'identity' | 'ledger'>,
  { code, eventId }: Scan,
  actor: Actor,
): Promise<LetIn> {
  const claims = readEticketCode(identity.keys, code)
  if (claims === null) throw new SeatwiseError('BAD_ETICKET')
  if (eventId !== undefined && eventId.toLowerCase() !== claims.eventId) throw new SeatwiseError('WRONG_EVENT')
  // Staff work at every door; an organiser has nothing to do at those of others.
  if (actor.role === 'organizer') {
    const eticket = await readEticket(ledger.db, claims.id)
    if (eticket !== null && eticket.organizerId !== actor.id) throw new SeatwiseError('FORBIDDEN')
  }
  const outcome = await checkIn(ledger.db, { eticketId: claims.id, by: actor.id })
  switch (outcome.status) {
    case 'checked_in': {
      const { id, checkedInAt, seatTypeName: type, row, number } = outcome.eticket
      const seat = { type, row, number }
      return { eticketId: id, eventId: claims.eventId, checkedInAt: checkedInAt.toISOString(), seat }
    }
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

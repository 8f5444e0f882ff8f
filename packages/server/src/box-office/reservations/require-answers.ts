import { findMissing, lacksTerms, SeatwiseError } from '@seatwise/domain'
import { type Ledger, readAsked, readBuyerAnswers } from '@seatwise/ledger'

/** A refusal names so many missing answers; who gave none of a thousand need not read them all. */
const NAMED_MAX = 100

/** Refuses to begin a payment while something that the organiser asks for is missing. */
export async function requireAnswers({ db }: Ledger, reservationId: string): Promise<void> {
  const asked = await readAsked(db, reservationId)
  if (asked === null) return
  const known = await readBuyerAnswers(db, reservationId)
  const missing = findMissing(asked.checkout, asked.seatIds, known)
  if (missing.length > 0) {
    throw new SeatwiseError('ANSWERS_NEEDED', { details: { missing: missing.slice(0, NAMED_MAX) } })
  }
  if (lacksTerms(asked.checkout, known)) {
    throw new SeatwiseError('TERMS_NEEDED', { details: { terms: asked.checkout.terms } })
  }
}

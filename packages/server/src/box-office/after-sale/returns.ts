import { randomUUID } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import {
  acceptOffer,
  askForReturns,
  confirmReturnRequest,
  findMailLink,
  leaveReturnsList,
  type Offer,
  type ReservationRow,
  type ReturnRequest,
  readOffer,
  readReturnRequest,
} from '@seatwise/ledger'
import type { Static } from 'typebox'
import type { Actor } from '../../http/index.ts'
import { type IssuedToken, requireEmail } from '../../identity/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { tokenFor } from './sale-guest.ts'
import type { ReturnsAnswer, ReturnsBody } from './schemas.ts'

type Parts = Pick<BoxOfficeServices, 'config' | 'ledger' | 'identity' | 'boxOffice'>

/** Puts an address on the returns list of a sold-out event; it counts once the link in the mail was used. */
export async function askForReturned(
  { config, ledger, boxOffice }: Parts,
  eventId: string,
  { email, seatTypeId, quantity, language }: Static<typeof ReturnsBody>,
): Promise<Static<typeof ReturnsAnswer>> {
  const { address, key } = requireEmail(email)
  if (config.rateLimits) boxOffice.mailLimits.require(key)
  const wish = { seatTypeId: seatTypeId?.toLowerCase() ?? null, quantity }
  const who = { email: address, emailKey: key, language: language ?? null }
  const outcome = await askForReturns(ledger, { requestId: randomUUID(), eventId, ...who, ...wish })
  switch (outcome.status) {
    case 'asked':
      return { eventId, email: address, ...wish, status: 'UNCONFIRMED' }
    case 'not_sold_out':
      throw new SeatwiseError('NOT_SOLD_OUT')
    case 'over':
      throw new SeatwiseError('SALES_ENDED')
    case 'too_many':
      throw new SeatwiseError('LIMIT_REACHED', { details: { left: outcome.quantityMax } })
    case 'unknown':
      throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
    case 'unknown_type':
      throw new SeatwiseError('NOT_FOUND', { message: 'The event has no such seat type' })
  }
}

/** The entry of the returns list that a mail links to. */
export async function requestByLink({ ledger }: Pick<Parts, 'ledger'>, token: string): Promise<ReturnRequest> {
  const id = await findMailLink(ledger.db, 'return', token)
  return requireRequest(id === null ? null : await readReturnRequest(ledger.db, id))
}

export async function confirmByLink(parts: Pick<Parts, 'ledger'>, token: string): Promise<ReturnRequest> {
  const { id } = await requestByLink(parts, token)
  return requireRequest(await confirmReturnRequest(parts.ledger.db, id))
}

export async function leaveByLink(parts: Pick<Parts, 'ledger'>, token: string): Promise<ReturnRequest> {
  const { id } = await requestByLink(parts, token)
  return requireRequest(await leaveReturnsList(parts.ledger.db, id))
}

function requireRequest(request: ReturnRequest | null): ReturnRequest {
  if (request !== null) return request
  throw new SeatwiseError('NOT_FOUND', { message: 'There is no such entry of a returns list' })
}

/** The offer that a mail links to. */
export async function offerByLink({ ledger }: Pick<Parts, 'ledger'>, token: string): Promise<Offer> {
  const id = await findMailLink(ledger.db, 'offer', token)
  const offer = id === null ? null : await readOffer(ledger.db, id)
  if (offer === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such offer' })
  return offer
}

export interface AcceptedOffer {
  readonly reservation: ReservationRow
  readonly token: IssuedToken
}

/** Accepts the offer that a mail links to, for the actor or for the offer's own guest. */
export async function acceptOfferByLink(parts: Parts, actor: Actor | null, token: string): Promise<AcceptedOffer> {
  const { id: offerId, eventId } = await offerByLink(parts, token)
  const outcome = await acceptOffer(parts.ledger, { offerId, actorId: actor?.id ?? null })
  if ('version' in outcome) await parts.boxOffice.tell(eventId, outcome)
  switch (outcome.status) {
    case 'accepted':
    case 'repeated':
      return { reservation: outcome.reservation, token: await tokenFor(parts, actor, { guestId: offerId, eventId }) }
    case 'over':
      throw new SeatwiseError('OFFER_OVER')
    case 'limit_reached':
      throw new SeatwiseError('LIMIT_REACHED', { details: { left: outcome.left } })
    case 'unknown':
      throw new SeatwiseError('NOT_FOUND', { message: 'There is no such offer' })
  }
}

/** Gives the seats of an offer back that was not accepted; they go to the next on the list at once. */
export async function declineOfferByLink(parts: Pick<Parts, 'ledger' | 'boxOffice'>, token: string): Promise<void> {
  const { id, reservationId, acceptedBy } = await offerByLink(parts, token)
  if (acceptedBy !== null) throw new SeatwiseError('OFFER_OVER')
  await parts.boxOffice.cancel(reservationId, id).catch((error: unknown) => {
    const isOver = error instanceof SeatwiseError && error.status < 500
    throw isOver ? new SeatwiseError('OFFER_OVER', { cause: error }) : error
  })
}

import { randomUUID } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import {
  acceptTransfer,
  type Eticket,
  findMailLink,
  openTransfer,
  type TransferRefusal,
  withdrawTransfer,
} from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import { type IssuedToken, requireEmail } from '../../identity/index.ts'
import { isUuid } from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { tokenFor } from './sale-guest.ts'

type Parts = Pick<BoxOfficeServices, 'config' | 'ledger' | 'identity' | 'boxOffice'>

/** Offers an e-ticket of the actor to an address; the mail to it has the link. */
export async function offerEticket(
  { config, ledger, boxOffice }: Parts,
  actor: Actor,
  { eticketId, email, language }: { eticketId: string; email: string; language?: string | undefined },
): Promise<string> {
  const { address, key } = requireEmail(email)
  if (!isUuid(eticketId)) throw unknownEticket()
  if (config.rateLimits) boxOffice.mailLimits.require(key)
  const wish = { transferId: randomUUID(), eticketId, actorId: actor.id, email: address, language: language ?? null }
  const outcome = await openTransfer(ledger, wish)
  switch (outcome.status) {
    case 'opened':
      return address
    case 'not_yours':
      throw notYours()
    default:
      throw refusalOf(outcome)
  }
}

export async function takeBackEticket({ ledger }: Parts, actor: Actor, eticketId: string): Promise<void> {
  if (!isUuid(eticketId)) throw unknownEticket()
  const outcome = await withdrawTransfer(ledger, { eticketId, actorId: actor.id })
  if (outcome === 'unknown') throw unknownEticket()
  if (outcome === 'not_yours') throw notYours()
}

export interface AcceptedEticket {
  readonly eticket: Eticket
  readonly holderId: string
  readonly token: IssuedToken
}

/** Accepts the transfer that a mail links to, for the actor or for a guest that the transfer makes. */
export async function acceptByLink(parts: Parts, actor: Actor | null, token: string): Promise<AcceptedEticket> {
  const { ledger } = parts
  const transferId = await findMailLink(ledger.db, 'transfer', token)
  if (transferId === null) throw unknownTransfer()
  const outcome = await acceptTransfer(ledger, { transferId, actorId: actor?.id ?? null })
  switch (outcome.status) {
    case 'accepted':
    case 'repeated': {
      const { eticket, holderId } = outcome
      const guest = { guestId: transferId, eventId: eticket.eventId }
      return { eticket, holderId, token: await tokenFor(parts, actor, guest) }
    }
    default:
      throw refusalOf(outcome)
  }
}

/** Why an e-ticket does not change hands. */
function refusalOf(refusal: TransferRefusal): SeatwiseError {
  switch (refusal.status) {
    case 'unknown':
      return unknownEticket()
    case 'used': {
      const checkedInAt = refusal.eticket.checkedInAt?.toISOString()
      return new SeatwiseError('ALREADY_USED', { details: { checkedInAt } })
    }
    case 'void':
      return new SeatwiseError('ETICKET_VOID')
    case 'closed':
      return new SeatwiseError('TRANSFERS_CLOSED')
    case 'over':
      return new SeatwiseError('TRANSFER_OVER')
  }
}

const unknownEticket = () => new SeatwiseError('NOT_FOUND', { message: 'There is no such e-ticket' })
const unknownTransfer = () => new SeatwiseError('NOT_FOUND', { message: 'There is no such transfer' })
const notYours = () => new SeatwiseError('FORBIDDEN', { message: 'This e-ticket is not yours' })

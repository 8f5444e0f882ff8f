import type { SaleEvent } from '@seatwise/domain'
import {
  type Delivery,
  keepMailLink,
  readEticket,
  readEvent,
  readInvitation,
  readNamedAddressee,
  readReservation,
  readReturnRequest,
  readTransfer,
  readTurn,
} from '@seatwise/ledger'
import { type Language, readLanguage } from '@seatwise/web'
import { describeEticket } from '../../box-office/index.ts'
import { drawSignInLetter } from '../../identity/index.ts'
import type { MailDesk } from './send-news-by-mail.ts'
import type { Letter } from './write-letters.ts'
import {
  writeInvitationLetter,
  writeOfferLetter,
  writeReturnLetter,
  writeSignInLetter,
  writeTransferLetter,
  writeTurnLetter,
} from './write-link-letters.ts'

/** Mail with a link that only its recipient has. The token is drawn here, right before it is sent. */
export interface LinkMail {
  readonly address: string
  readonly letter: Letter
  /** The event that it is about; null for mail of the site itself. */
  readonly event: SaleEvent | null
}

/** `news` is about a transfer. Null, here and below: it ended meanwhile, and there is nothing to send. */
export async function transferMail({ ledger, keys, siteUrl }: MailDesk, news: Delivery): Promise<LinkMail | null> {
  const transfer = await readTransfer(ledger.db, news.reservationId)
  const eticket = transfer?.status === 'open' ? await readEticket(ledger.db, transfer.eticketId) : null
  if (transfer === null || eticket === null) return null
  const token = await keepMailLink(ledger.db, { kind: 'transfer', subjectId: transfer.id })
  const letter = writeTransferLetter(
    languageOf(transfer.language),
    describeEticket(keys, eticket),
    `${siteUrl}/transfer/${token}`,
  )
  return { address: transfer.email, letter, event: await readEvent(ledger.db, eticket.eventId) }
}

/** `news` is about an entry of the returns list. */
export async function returnMail({ ledger, siteUrl }: MailDesk, news: Delivery): Promise<LinkMail | null> {
  const request = await readReturnRequest(ledger.db, news.reservationId)
  const event = request?.status === 'unconfirmed' ? await readEvent(ledger.db, request.eventId) : null
  if (request === null || event === null) return null
  const token = await keepMailLink(ledger.db, { kind: 'return', subjectId: request.id })
  const letter = writeReturnLetter(languageOf(request.language), event, `${siteUrl}/returns/${token}`)
  return { address: request.email, letter, event }
}

/** `news` is about the reservation that holds the seats of an offer, which has the offer's id. */
export async function offerMail({ ledger, siteUrl }: MailDesk, news: Delivery): Promise<LinkMail | null> {
  const reservation = await readReservation(ledger.db, news.reservationId)
  const addressee = await readNamedAddressee(ledger.db, news.reservationId)
  const event = reservation?.status === 'PENDING_PAYMENT' ? await readEvent(ledger.db, reservation.eventId) : null
  if (reservation === null || event === null || addressee === null) return null
  const token = await keepMailLink(ledger.db, { kind: 'offer', subjectId: reservation.id })
  const url = `${siteUrl}/offers/${token}`
  const letter = writeOfferLetter(languageOf(addressee.language), { event, reservation, url })
  return { address: addressee.email, letter, event }
}

/** `news` is about a mail that a visitor asked for in order to sign in. */
export async function signInMail({ ledger, links, siteUrl }: MailDesk, news: Delivery): Promise<LinkMail | null> {
  const drawn = await drawSignInLetter(ledger, links, news.reservationId)
  if (drawn === null) return null
  const { address, language, code, path } = drawn
  const letter = writeSignInLetter(languageOf(language), { code, url: `${siteUrl}${path}` })
  return { address, letter, event: null }
}

/** `news` is about an address that was invited to an organization. */
export async function invitationMail({ ledger, siteUrl }: MailDesk, news: Delivery): Promise<LinkMail | null> {
  const invitation = await readInvitation(ledger.db, news.reservationId)
  if (invitation === null) return null
  const token = await keepMailLink(ledger.db, { kind: 'invitation', subjectId: invitation.id })
  const url = `${siteUrl}/invitations/${token}`
  const letter = writeInvitationLetter(languageOf(invitation.language), invitation, url)
  return { address: invitation.email, letter, event: null }
}

/** `news` is about a visitor whose turn has come. */
export async function turnMail({ ledger, siteUrl }: MailDesk, news: Delivery): Promise<LinkMail | null> {
  const turn = await readTurn(ledger.db, news.reservationId)
  if (turn === null) return null
  const { eventId, roomId, name } = turn
  const url = `${siteUrl}/${eventId === null ? `rooms/${roomId}` : `events/${eventId}`}/wait`
  const letter = writeTurnLetter(languageOf(turn.language), { name, url })
  const event = turn.eventId === null ? null : await readEvent(ledger.db, turn.eventId)
  return { address: turn.email, letter, event }
}

const languageOf = (named: string | null): Language => readLanguage(named ?? undefined) ?? 'en'

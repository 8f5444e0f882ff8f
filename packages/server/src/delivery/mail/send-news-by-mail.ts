import type { Reservation, SaleEvent } from '@seatwise/domain'
import {
  type Addressee,
  type Delivery,
  type Eticket,
  keepMailLink,
  type Ledger,
  readAddressee,
  readBuyerMail,
  readEticketsOf,
  readEvent,
  readReservation,
} from '@seatwise/ledger'
import { type Language, readLanguage, showCalendar } from '@seatwise/web'
import {
  composeTickets,
  describeEticket,
  type EticketView,
  type Press,
  type TicketFacts,
} from '../../box-office/index.ts'
import type { LinkSecrets, SigningKeys } from '../../identity/index.ts'
import { Undeliverable } from '../outbox/courier.ts'
import { dressLetter } from './dress-letter.ts'
import type { Mail, Mailer } from './mailer.ts'
import {
  invitationMail,
  type LinkMail,
  offerMail,
  returnMail,
  signInMail,
  transferMail,
  turnMail,
} from './send-links.ts'
import {
  type Letter,
  type RefundFacts,
  writeCancelledNotice,
  writeConfirmation,
  writeLetterToBuyers,
  writeMovedNotice,
  writeRefundNotice,
} from './write-letters.ts'

/** The types of news that buyers get by mail. */
export const MAIL_TYPES = [
  'purchase.paid',
  'purchase.resent',
  'purchase.refunded',
  'event.cancelled',
  'event.moved',
  'event.mailed',
  'transfer.asked',
  'return.asked',
  'offer.made',
  'sign_in.asked',
  'member.invited',
  'turn.come',
] as const

export interface MailDesk {
  readonly ledger: Ledger
  readonly keys: SigningKeys
  readonly links: LinkSecrets
  readonly mailer: Mailer
  readonly siteUrl: string
  /** Draws the e-tickets that are attached. */
  readonly press: Press
}

/** Mail that is about a link, by the type of its news. */
const LINK_MAILS: Readonly<Record<string, (desk: MailDesk, news: Delivery) => Promise<LinkMail | null>>> = {
  'transfer.asked': transferMail,
  'return.asked': returnMail,
  'offer.made': offerMail,
  'sign_in.asked': signInMail,
  'member.invited': invitationMail,
  'turn.come': turnMail,
}

export async function sendNewsByMail(desk: MailDesk, news: Delivery): Promise<void> {
  const write = LINK_MAILS[news.type]
  if (write === undefined) return await sendToBuyer(desk, news)
  const mail = await write(desk, news)
  if (mail === null) return
  const { address, letter, event } = mail
  await send(desk, news, { to: { name: '', address }, letter, event })
}

async function send(
  { mailer, siteUrl }: MailDesk,
  { newsId: id, position }: Delivery,
  { to, letter, event }: { to: Mail['to']; letter: Letter; event: SaleEvent | null },
): Promise<void> {
  const { subject, text, attachments } = letter
  const html = dressLetter({ ...letter, host: event?.organizer ?? null, siteUrl })
  await mailer.send({ id, position, to, subject, text, html, attachments })
}

async function sendToBuyer(desk: MailDesk, news: Delivery): Promise<void> {
  const addressee = await readAddressee(desk.ledger.db, news.reservationId)
  if (addressee === null) throw new Undeliverable('The buyer named no address and has no account any more')
  const { db } = desk.ledger
  const reservation = await readReservation(db, news.reservationId)
  const event = reservation === null ? null : await readEvent(db, reservation.eventId)
  if (reservation === null || event === null) throw new Undeliverable('What the mail is about is gone')
  const letter = await writeLetter(desk, news, { addressee, reservation, event })
  await send(desk, news, { to: { name: addressee.name, address: addressee.email }, letter, event })
}

interface Order {
  readonly addressee: Addressee
  readonly reservation: Reservation
  readonly event: SaleEvent
}

async function writeLetter(desk: MailDesk, news: Delivery, { addressee, ...order }: Order): Promise<Letter> {
  const { ledger, keys, siteUrl } = desk
  const all = await readEticketsOf(ledger.db, [news.reservationId])
  // What was transferred before the mail went out is another holder's.
  const etickets = all.filter(({ holderId, buyerId }) => holderId === buyerId)
  const shown = etickets.map((eticket) => describeEticket(keys, eticket))
  const language = readLanguage(addressee.language ?? undefined) ?? 'en'
  switch (news.type) {
    case 'purchase.refunded':
      return writeRefundNotice(language, addressee, refundOf(news, addressee, all))
    case 'event.cancelled':
      return writeCancelledNotice(language, addressee, textOf(news, 'message') ?? '')
    case 'event.mailed': {
      const mail = await readBuyerMail(ledger.db, textOf(news, 'mailId') ?? '')
      if (mail === null) throw new Undeliverable('The text of this mail is gone')
      return writeLetterToBuyers(language, addressee, mail)
    }
    case 'event.moved':
      return writeMovedNotice(language, addressee, { siteUrl, ...news, refundsUntil: textOf(news, 'refundsUntil') })
  }
  const url = `${siteUrl}${await orderPath(ledger, news, addressee)}`
  const letter = writeConfirmation(language, addressee, { etickets: shown, url, reservationId: news.reservationId })
  const printed = await printTickets(desk, language, { ...order, etickets: etickets.filter(({ isVoid }) => !isVoid) })
  return { ...letter, attachments: [...printed, ...calendarOf(shown[0], siteUrl)] }
}

/** As a PDF, one on each page; nothing where all of them were refunded before the mail went out. */
async function printTickets(
  { keys, press }: MailDesk,
  language: Language,
  facts: TicketFacts,
): Promise<Mail['attachments']> {
  if (facts.etickets.length === 0) return []
  const content = Buffer.from(await press.print(composeTickets(language, keys, facts)))
  return [{ filename: 'e-tickets.pdf', contentType: 'application/pdf', content }]
}

/** A guest has no account to find the order with: the link shows it. */
async function orderPath({ db }: Ledger, { reservationId }: Delivery, { hasAccount }: Addressee): Promise<string> {
  if (hasAccount) return '/reservations'
  return `/orders/${await keepMailLink(db, { kind: 'order', subjectId: reservationId })}`
}

/** The event for the buyer's calendar, if its date is known. */
function calendarOf(eticket: EticketView | undefined, siteUrl: string): Mail['attachments'] {
  const { eventId: id = '', event } = eticket ?? {}
  if (event === undefined || event.startsAt === null) return []
  const [startsAt, endsAt] = [new Date(event.startsAt), event.endsAt === null ? null : new Date(event.endsAt)]
  const content = showCalendar({ ...event, id, startsAt, endsAt }, `${siteUrl}/events/${id}`)
  return [{ filename: 'event.ics', contentType: 'text/calendar; charset=utf-8', content }]
}

/** What went back now, and for which seats; older news tells only the sum. */
function refundOf({ payload }: Delivery, { amount }: Addressee, etickets: readonly Eticket[]): RefundFacts {
  const refund = payload.refund as { amount: number; seatIds: readonly string[] } | undefined
  const sum = typeof payload.refunded === 'number' ? payload.refunded : amount
  if (refund === undefined || payload.status !== 'PARTLY_REFUNDED')
    return { amount: refund?.amount ?? sum, seats: null }
  const seats = etickets.filter(({ seatId }) => refund.seatIds.includes(seatId))
  return { amount: refund.amount, seats: seats.map(({ seatTypeName: type, row, number }) => ({ type, row, number })) }
}

function textOf({ payload }: Delivery, name: string): string | null {
  const value = payload[name]
  return typeof value === 'string' ? value : null
}

import {
  type Addressee,
  type Delivery,
  type Eticket,
  keepMailLink,
  type Ledger,
  readAddressee,
  readEticketsOf,
} from '@seatwise/ledger'
import { readLanguage, showCalendar } from '@seatwise/web'
import { describeEticket, type EticketView, renderPrintablePage } from '../../box-office/index.ts'
import type { LinkSecrets, SigningKeys } from '../../identity/index.ts'
import { Undeliverable } from '../outbox/courier.ts'
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
  const { address, letter } = mail
  await desk.mailer.send({ id: news.newsId, position: news.position, to: { name: '', address }, ...letter })
}

async function sendToBuyer(desk: MailDesk, news: Delivery): Promise<void> {
  const addressee = await readAddressee(desk.ledger.db, news.reservationId)
  if (addressee === null) throw new Undeliverable('The buyer named no address and has no account any more')
  const letter = await writeLetter(desk, news, addressee)
  const to = { name: addressee.name, address: addressee.email }
  await desk.mailer.send({ id: news.newsId, position: news.position, to, ...letter })
}

async function writeLetter({ ledger, keys, siteUrl }: MailDesk, news: Delivery, addressee: Addressee): Promise<Letter> {
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
    case 'event.moved':
      return writeMovedNotice(language, addressee, { siteUrl, ...news, refundsUntil: textOf(news, 'refundsUntil') })
  }
  const page = {
    filename: 'e-tickets.html',
    contentType: 'text/html; charset=utf-8',
    content: renderPrintablePage(shown),
  }
  const url = `${siteUrl}${await orderPath(ledger, news, addressee)}`
  const letter = writeConfirmation(language, addressee, { etickets: shown, url, reservationId: news.reservationId })
  return { ...letter, attachments: [page, ...calendarOf(shown[0], siteUrl)] }
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

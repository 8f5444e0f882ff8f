import { type Addressee, type Delivery, type Ledger, readAddressee, readEticketsOf } from '@seatwise/ledger'
import { showCalendar } from '@seatwise/web'
import { describeEticket, type EticketView, renderPrintablePage } from '../../box-office/index.ts'
import type { SigningKeys } from '../../identity/index.ts'
import { Undeliverable } from '../outbox/courier.ts'
import type { Mail, Mailer } from './mailer.ts'
import { type Letter, writeConfirmation, writeRefundNotice } from './write-letters.ts'

/** The types of news that buyers get by mail. */
export const MAIL_TYPES = ['purchase.paid', 'purchase.refunded'] as const

export interface MailDesk {
  readonly ledger: Ledger
  readonly keys: SigningKeys
  readonly mailer: Mailer
  readonly siteUrl: string
}

export async function sendNewsByMail(desk: MailDesk, news: Delivery): Promise<void> {
  const addressee = await readAddressee(desk.ledger.db, news.reservationId)
  if (addressee === null) throw new Undeliverable('The buyer has no account any more')
  const letter = await writeLetter(desk, news, addressee)
  const to = { name: addressee.name, address: addressee.email }
  await desk.mailer.send({ id: news.newsId, position: news.position, to, ...letter })
}

async function writeLetter({ ledger, keys, siteUrl }: MailDesk, news: Delivery, addressee: Addressee): Promise<Letter> {
  const etickets = await readEticketsOf(ledger.db, [news.reservationId])
  const shown = etickets.map((eticket) => describeEticket(keys, eticket))
  if (news.type === 'purchase.refunded') return writeRefundNotice(addressee, refundedAmount(news, addressee))
  const page = {
    filename: 'e-tickets.html',
    contentType: 'text/html; charset=utf-8',
    content: renderPrintablePage(shown),
  }
  const letter = writeConfirmation(addressee, { etickets: shown, siteUrl, reservationId: news.reservationId })
  return { ...letter, attachments: [page, ...calendarOf(shown[0], siteUrl)] }
}

/** The event for the buyer's calendar, if its date is known. */
function calendarOf(eticket: EticketView | undefined, siteUrl: string): Mail['attachments'] {
  const { eventId: id = '', event } = eticket ?? {}
  if (event === undefined || event.startsAt === null) return []
  const [startsAt, endsAt] = [new Date(event.startsAt), event.endsAt === null ? null : new Date(event.endsAt)]
  const content = showCalendar({ ...event, id, startsAt, endsAt }, `${siteUrl}/events/${id}`)
  return [{ filename: 'event.ics', contentType: 'text/calendar; charset=utf-8', content }]
}

function refundedAmount({ payload }: Delivery, { amount }: Addressee): number {
  return typeof payload.refunded === 'number' ? payload.refunded : amount
}

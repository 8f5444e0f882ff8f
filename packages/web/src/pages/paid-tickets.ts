import {
  nameOfSeat,
  type RefundFee,
  type Reservation,
  type SaleEvent,
  spellShortCode,
  transfersEnd,
  type Variant,
} from '@seatwise/domain'
import { type Html, html, trustedHtml } from '../html.ts'
import type { Language } from '../language.ts'
import { formatMoney } from '../views/money.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'
import { type EticketFacts, type Giving, giveForm, walletLinks } from './eticket.ts'
import { timeTag } from './time-tag.ts'

/** An e-ticket that the buyer has, with what they may do with it. */
export interface PaidTicket {
  readonly facts: EticketFacts
  readonly variant: Variant | null
  readonly giving: Giving | null
}

/** All e-tickets of an order by seat: what the door needs of each, and the form that gives it to another person. */
export function paidTickets(language: Language, tickets: readonly PaidTicket[]): Html {
  return html`${tickets.map((ticket, index) => paidTicket(language, ticket, index + 1))}`
}

function paidTicket(language: Language, { facts, variant, giving }: PaidTicket, count: number): Html {
  const words = WORDS[language]
  const { id, drawing, shortCode, holder, status } = facts
  const place = placeOf(language, facts, variant)
  const give =
    giving === null || status !== 'VALID'
      ? null
      : html`<details class="no-print"><summary>${words.after.giveTitle}</summary>${giveForm(language, facts, giving)}</details>`
  return html`<article class="eticket ${status.toLowerCase()}">
<h2><a href="/etickets/${id}">${say(language, words.after.ticketOf, { count, place })}</a></h2>
${holder === null ? null : html`<p>${words.ask.holder} ${holder}</p>`}
${drawing === null ? null : html`<div class="qr">${trustedHtml(drawing)}</div>`}
${shortCode === null ? null : html`<p class="lead number">${words.door.code} ${spellShortCode(shortCode)}</p>`}
${walletLinks(language, facts)}
${give}
</article>`
}

function placeOf(language: Language, { seat }: EticketFacts, variant: Variant | null): string {
  const name = nameOfSeat(seat.type, variant)
  if (seat.row === null) return name
  return `${name}, ${say(language, WORDS[language].seats.seat, { row: seat.row, number: String(seat.number) })}`
}

/** What the organiser allows after the sale, said before the buyer pays; null where there is nothing to say. */
export function termsAfterSale(
  language: Language,
  { event, reservation, now }: { readonly event: SaleEvent; readonly reservation: Reservation; readonly now: number },
): Html | null {
  const { after, timeZone } = event
  const words = WORDS[language]
  const until = (sentence: string, at: Date): Html => {
    const [before = '', rest = ''] = sentence.split('{until}')
    return html`${before}${timeTag(language, at, timeZone)}${rest}`
  }
  const refunds = after.refundsUntil === null ? null : new Date(after.refundsUntil)
  const returning =
    refunds === null || refunds.getTime() <= now
      ? null
      : html`${until(words.buy.selfRefundUntil, refunds)} ${keptOf(language, reservation, after.refundFee)} `
  const transfers = transfersEnd(event)
  const isOver = transfers !== null && transfers.getTime() <= now
  const giving =
    transfers === null ? null : isOver ? words.after.closedLead : until(words.after.termsTransfer, transfers)
  return returning === null && giving === null ? null : html`<p class="quiet small">${returning}${giving}</p>`
}

function keptOf(language: Language, { currency }: Reservation, fee: RefundFee | null): string | null {
  const words = WORDS[language].after
  if (fee === null) return null
  const { perTicket, percent, keepFees } = fee
  const parts = [
    ...(perTicket === 0 ? [] : [formatMoney(language, perTicket, currency)]),
    ...(percent === 0
      ? []
      : [new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 3 }).format(percent / 100)]),
    ...(keepFees ? [words.termsFees] : []),
  ]
  return say(language, words.termsKeeps, { parts: parts.join(' + ') })
}

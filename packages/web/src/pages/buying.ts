import { nameOfSeat, type Reservation, type ReservationItem, type SaleEvent } from '@seatwise/domain'
import type { Accent } from '../accent.ts'
import { type Fillable, type Html, html, trustedHtml } from '../html.ts'
import { icon } from '../icons.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { tellClock } from '../views/duration.ts'
import { formatMoney } from '../views/money.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'
import {
  type CheckoutForm,
  checkoutField,
  checkoutFields,
  checkoutProblems,
  fieldProblem,
  pointToProblem,
} from './checkout-fields.ts'
import { type CodeVerdict, codeField } from './code-field.ts'
import { type PaidTicket, paidTickets, termsAfterSale } from './paid-tickets.ts'
import { timeTag } from './time-tag.ts'

/** A receipt or credit note of a purchase; without a number while the purchase waits for its receipt. */
export interface OwnPaper {
  readonly purchaseId: string
  readonly number: number | null
  readonly kind: 'receipt' | 'credit_note' | null
}

/** What would go back now, and what would stay. */
export interface SelfRefund {
  readonly until: Date
  readonly amount: number
  readonly kept: number
  /** Given to others: they stay as they are. */
  readonly transferredSeatIds: readonly string[]
}

export interface CheckoutFacts {
  readonly event: SaleEvent
  readonly reservation: Reservation
  readonly accent: Accent | null
  /** `cards`: the sandbox's, chosen here. `page`: the provider asks on a page of its own. */
  readonly payWith: 'cards' | 'page'
  /** Under which the payment is asked for, however often the form is sent. */
  readonly key: string
  readonly stand: PayStand
  /** Those that the buyer still has. */
  readonly tickets: readonly PaidTicket[]
  readonly papers: readonly OwnPaper[]
  /** What the buyer may refund without the organiser; null when there is nothing. */
  readonly refund: SelfRefund | null
  /** How many seats of a paid reservation were refunded, or are about to be. */
  readonly refundedSeats: number
  readonly isGuest: boolean
  /** What the form shows; its `email` is where the e-tickets go. */
  readonly form: CheckoutForm
  /** How the code ended that the buyer has just sent. */
  readonly code: CodeVerdict | null
  readonly now: number
  /** Mail leaves this deployment. */
  readonly hasMail: boolean
}

/**
 * How paying stands. `not-paid`: the buyer left the provider's page, or it was closed; nothing was charged. `away`: the
 * buyer has to go to a page of the provider or the bank. `refunding`: the provider has not booked the refund yet;
 * `sent-back`: it has.
 */
export type PayStand =
  | { readonly is: 'unpaid' | 'declined' | 'not-paid' | 'under-way' | 'refunding' | 'sent-back' }
  /** `cannotStop`: the buyer asked us to cancel the payment, and the provider does not let us. */
  | { readonly is: 'away'; readonly url: string; readonly cannotStop: boolean }

/** A payment at the provider can end while the buyer looks elsewhere: the page asks again. */
const RELOADS = {
  'under-way': { refreshSeconds: 2, data: { reloadMs: 1_500 } },
  away: { refreshSeconds: 6, data: { reloadMs: 5_000 } },
  // Refunds may take a provider days.
  refunding: { refreshSeconds: 10, data: { reloadMs: 8_000 } },
} as const

const METHODS = ['sandbox_ok', 'sandbox_declined', 'sandbox_slow', 'sandbox_3ds'] as const

/** Paying for what is kept, and how that ended. A plain form: what needs no script cannot fail for want of one. */
export function checkoutPage(language: Language, facts: CheckoutFacts): Page {
  const words = WORDS[language].buy
  const { event, reservation, stand } = facts
  const isOpen = reservation.status === 'PENDING_PAYMENT' && reservation.expiresAt.getTime() > facts.now
  const isUndecided = isOpen || reservation.status === 'EXPIRED'
  const title = isOpen ? words.checkoutTitle : endingTitle(language, reservation)
  return {
    title: `${title} · ${event.name}`,
    host: event.organizer,
    accent: facts.accent,
    entry: 'shop',
    styles: ['shop'],
    frame: 'task',
    banner: html`<p class="banner"><span>${event.name}</span></p>`,
    ...reloadsFor(stand, isUndecided),
    body: html`<section class="narrow">
<h1>${title}</h1>
${isOpen ? openPart(language, facts) : endedPart(language, facts)}
</section>`,
  }
}

function reloadsFor({ is }: PayStand, isUndecided: boolean): Partial<(typeof RELOADS)[keyof typeof RELOADS]> {
  if (is === 'refunding') return RELOADS.refunding
  return isUndecided && (is === 'under-way' || is === 'away') ? RELOADS[is] : {}
}

function openPart(language: Language, facts: CheckoutFacts): Html {
  const words = WORDS[language].buy
  const { reservation, stand, now } = facts
  const left = reservation.expiresAt.getTime() - now
  const seats = { count: reservation.items.length }
  return html`<p class="lead">${say(language, words.checkoutLead, seats)}</p>
<p class="kept"><span class="label">${words.keptFor}</span> <span class="number" data-clock="${Math.round(left)}" role="timer">${tellClock(left)}</span></p>
${seatTable(language, facts)}
${stand.is === 'declined' ? html`<p class="notice bad" role="alert">${say(language, words.declined, seats)}</p>` : null}
${stand.is === 'not-paid' ? html`<p class="notice" role="status">${say(language, words.notPaid, seats)}</p>` : null}
${stand.is === 'refunding' ? html`<p class="notice bad" role="alert">${say(language, words.sendingBack, seats)}</p>` : null}
${stand.is === 'sent-back' ? html`<p class="notice bad" role="alert">${say(language, words.sentBack, seats)}</p>` : null}
${paying(language, facts)}`
}

function paying(language: Language, facts: CheckoutFacts): Html {
  const { stand, reservation } = facts
  if (stand.is === 'under-way') return underWay(language, reservation)
  return stand.is === 'away' ? away(language, reservation, stand) : payForm(language, facts)
}

/** The buyer came back without having paid: on to the same page again, or not at all. */
function away(language: Language, { id }: Reservation, { url, cannotStop }: PayStand & { is: 'away' }): Html {
  const words = WORDS[language].buy
  return html`<p class="notice" role="status">${cannotStop ? words.cannotStop : words.notFinished}</p>
<p><a class="button main wide" href="${url}" rel="noreferrer">${words.toPayment}</a></p>
${cannotStop ? null : html`<form method="post" action="/checkout/${id}/stop" data-once><button class="plain">${words.stopPaying}</button></form>`}`
}

function underWay(language: Language, { id }: Reservation): Html {
  const words = WORDS[language].buy
  return html`<p class="notice" role="status">${words.underWay}</p><p><a class="button" href="/checkout/${id}">${words.checkAgain}</a></p>`
}

function payForm(language: Language, facts: CheckoutFacts): Html {
  const { event, reservation, payWith, key, form, code, hasMail } = facts
  const words = WORDS[language].buy
  const { email } = checkoutField
  const tickets = reservation.items.map((item) => ({ seatId: item.seatId, label: placeOf(language, event, item) }))
  const { id, amount, currency, items } = reservation
  const price = formatMoney(language, amount, currency)
  return html`<form method="post" action="/checkout/${id}/pay" class="stack" data-once>
<input type="hidden" name="key" value="${key}">
${checkoutProblems(language, form)}
<label class="field">${words.email}<input name="${email}" type="email" autocomplete="email" required maxlength="254" value="${form.values[email] ?? ''}" ${pointToProblem(form, email, 'email-hint')}></label>
<p class="hint" id="email-hint">${hasMail ? words.emailHint : words.emailHintOnly}</p>
${fieldProblem(language, form, email)}
${checkoutFields(language, event.checkout, tickets, form)}
${termsAfterSale(language, facts)}
${amount === 0 ? null : methods(language, payWith)}
<button class="main wide">${amount === 0 ? words.payFree : say(language, words.pay, { amount: price })}</button>
<p class="quiet" role="status" data-busy hidden>${words.paying}</p>
</form>
${codeField(language, { action: `/checkout/${id}/code`, next: `/checkout/${id}`, applied: null, verdict: code })}
<form method="post" action="/checkout/${id}/give-back"><button class="plain">${say(language, words.giveBack, { count: items.length })}</button></form>`
}

function methods(language: Language, payWith: CheckoutFacts['payWith']): Html {
  const words = WORDS[language].buy
  if (payWith === 'page') return html`<p class="hint">${words.payOnPage}</p>`
  return html`<fieldset class="choices"><legend>${words.method}</legend>
${METHODS.map((method, index) => html`<label><input type="radio" name="method" value="${method}" ${index === 0 ? trustedHtml('checked') : null}> ${words.methods[method]}</label>`)}
<p class="hint">${words.sandbox}</p></fieldset>`
}

function endingTitle(language: Language, { status, items }: Reservation): string {
  const words = WORDS[language].buy
  const seats = { count: items.length }
  if (status === 'PAID') return say(language, words.paidTitle, seats)
  if (status === 'CANCELED') return say(language, words.canceledTitle, seats)
  return status === 'REFUNDED' ? words.refundedTitle : words.expiredTitle
}

function endedPart(language: Language, facts: CheckoutFacts): Html {
  const words = WORDS[language].buy
  const { reservation, event, tickets, isGuest, hasMail, stand } = facts
  if (reservation.status === 'PAID') {
    const paidLead = !hasMail ? words.paidLeadHere : isGuest ? words.paidLeadGuest : words.paidLead
    const lead = stand.is === 'refunding' ? words.refunding : paidLead
    const { refundedSeats } = facts
    const some = stand.is !== 'refunding' && refundedSeats > 0
    const partly = some
      ? html`<p class="notice">${say(language, words.partlyRefunded, { count: refundedSeats })}</p>`
      : null
    return html`<p class="lead">${lead}</p>${partly}
${paidTickets(language, tickets)}
${seatTable(language, facts)}
${paperLine(language, reservation, facts.papers)}${event.startsAt === null ? null : html`<p class="actions"><a href="/events/${event.id}/calendar.ics?of=show">${WORDS[language].event.calendar}</a></p>`}${stand.is === 'refunding' ? null : selfRefund(language, facts)}
<p class="actions"><a href="/reservations">${words.mine}</a> <a href="/">${words.toEvents}</a></p>`
  }
  const lead =
    reservation.status === 'CANCELED'
      ? words.canceledLead
      : reservation.status === 'REFUNDED'
        ? words.refundedLead
        : words.expiredLead
  // Money that came too late bought nothing; money that an organiser gave back had bought seats.
  const cameTooLate = (stand.is === 'sent-back' || stand.is === 'refunding') && reservation.status !== 'REFUNDED'
  const tooLate = stand.is === 'refunding' ? words.sendingBack : words.sentBack
  const mayStillCome = reservation.status === 'EXPIRED' && (stand.is === 'under-way' || stand.is === 'away')
  const sentence = mayStillCome ? words.expiredWhilePaying : cameTooLate ? tooLate : lead
  const said = say(language, sentence, { count: reservation.items.length })
  return html`<p class="lead">${said}</p>
${paperLine(language, reservation, facts.papers)}
<p class="actions"><a class="button main" href="/events/${event.id}/seats">${words.chooseAgain}</a> <a class="button" href="/">${words.toEvents}</a></p>`
}

/** While the event offers it. A fold keeps it from being pressed by mistake; what goes back is said before it is. */
function selfRefund(language: Language, { reservation, event, refund, now }: CheckoutFacts): Html | null {
  if (refund === null) return null
  const { refundsUntil, timeZone } = event
  const words = WORDS[language].buy
  const isMoved = refundsUntil !== null && refundsUntil.getTime() > now
  const [before = '', after = ''] = (isMoved ? words.selfRefundHint : words.selfRefundUntil).split('{until}')
  const money = (amount: number): string => formatMoney(language, amount, reservation.currency)
  const stays = refund.kept === 0 ? null : say(language, words.refundKeeps, { amount: money(refund.kept) })
  return html`<details><summary>${words.selfRefund}</summary>
<form method="post" action="/checkout/${reservation.id}/refund" class="stack" data-once>
<p>${before}${timeTag(language, refund.until, timeZone)}${after}</p>
<p>${say(language, words.refundGives, { amount: money(refund.amount) })} ${stays}</p>
${refund.transferredSeatIds.length === 0 ? null : html`<p>${words.refundTransferred}</p>`}
<input type="hidden" name="amount" value="${refund.amount}">
<button class="plain">${words.selfRefundNow}</button></form></details>`
}

function whenAndWhere(language: Language, { startsAt, timeZone, location }: SaleEvent): Html {
  const time = startsAt === null ? null : html`<p class="quiet">${timeTag(language, startsAt, timeZone, 'full')}</p>`
  return html`${time}${location === '' ? null : html`<p class="quiet">${location}</p>`}`
}

/** The category of a seat, with its variant. */
function nameOf({ seatTypes }: SaleEvent, { seatTypeId, variantId }: ReservationItem): string {
  const type = seatTypes.find(({ id }) => id === seatTypeId)
  return nameOfSeat(type?.name ?? '', type?.variants.find(({ id }) => id === variantId) ?? null)
}

function placeOf(language: Language, event: SaleEvent, item: ReservationItem): string {
  const { row, number } = item
  if (row === null || number === null) return nameOf(event, item)
  const place = say(language, WORDS[language].seats.seat, { row, number: String(number) })
  return `${nameOf(event, item)}, ${place}`
}

export function seatTable(
  language: Language,
  { reservation, event }: Pick<CheckoutFacts, 'reservation' | 'event'>,
): Html {
  const words = WORDS[language]
  const { currency, items, amount, tax, lines } = reservation
  const rows = items.map(
    (item) => html`<tr><th scope="row">${nameOf(event, item)}
${item.row === null || item.number === null ? null : html`<span class="quiet">${say(language, words.seats.seat, { row: item.row, number: String(item.number) })}</span>`}</th>
<td class="number">${formatMoney(language, item.price, currency)}</td></tr>`,
  )
  const extras = lines.filter(({ kind }) => kind !== 'seat')
  const added = extras.map(
    (line) =>
      html`<tr><th scope="row">${line.name}</th><td class="number">${formatMoney(language, line.amount, currency)}</td></tr>`,
  )
  const taxed = say(language, words.buy.taxIncluded, { amount: formatMoney(language, tax, currency) })
  return html`${whenAndWhere(language, event)}<table class="prices"><tbody>${rows}${added}</tbody>
<tfoot><tr><th scope="row">${words.seats.total}</th><td class="number">${formatMoney(language, amount, currency)}</td></tr></tfoot></table>
${tax === 0 ? null : html`<p class="quiet">${taxed}</p>`}`
}

export interface OwnReservation {
  readonly reservation: Reservation
  readonly event: SaleEvent | null
  readonly eticketIds: readonly string[]
  readonly papers: readonly OwnPaper[]
  /** The addresses to which e-tickets of it were given. */
  readonly givenTo: readonly string[]
}

/** An e-ticket that another buyer gave to the holder. */
export interface ReceivedEticket {
  readonly id: string
  readonly eventName: string
  readonly startsAt: Date | null
  readonly timeZone: string
}

/** All reservations and purchases of the buyer, the newest first, and e-tickets that others gave them. */
export function reservationsPage(
  language: Language,
  own: readonly OwnReservation[],
  received: readonly ReceivedEticket[],
): Page {
  const words = WORDS[language].buy
  const rows = own.map(
    ({ reservation, event, eticketIds, givenTo, papers }) => html`<li>
<div><h2>${event?.name ?? reservation.eventId}</h2>
<p class="quiet">${event?.startsAt ? timeTag(language, event.startsAt, event.timeZone, 'full') : null}</p>
<p>${say(language, words.seatCount, { count: reservation.items.length })} · ${formatMoney(language, reservation.amount, reservation.currency)} · ${words.status[reservation.status]}</p>
${givenTo.map((email) => html`<p class="quiet">${say(language, WORDS[language].after.givenTo, { email })}</p>`)}</div>
<p class="actions">${links(language, reservation, eticketIds)}</p>${paperLine(language, reservation, papers)}</li>`,
  )
  const gifts = received.map(
    ({ id, eventName, startsAt, timeZone }) => html`<li><div><h2>${eventName}</h2>
<p class="quiet">${startsAt === null ? null : timeTag(language, startsAt, timeZone, 'full')}</p></div>
<p class="actions"><a class="button" href="/etickets/${id}">${icon('ticket')}${words.eticket}</a></p></li>`,
  )
  return {
    title: words.mine,
    entry: 'shop',
    styles: ['shop'],
    body: html`<h1>${words.mine}</h1>
${own.length + gifts.length === 0 ? html`<p class="lead">${words.noneYet}</p><p><a class="button" href="/">${words.toEvents}</a></p>` : html`<ol class="owned">${rows}${gifts}</ol>`}`,
  }
}

function links(language: Language, { status, id }: Reservation, eticketIds: readonly string[]): Fillable {
  const words = WORDS[language].buy
  if (status === 'PENDING_PAYMENT')
    return html`<a class="button main" href="/checkout/${id}">${words.checkoutTitle}</a>`
  if (status !== 'PAID') return null
  const count = eticketIds.length
  if (count === 0) return null
  return html`<a class="button" href="/checkout/${id}">${icon('ticket')}${say(language, words.ticketCount, { count })}</a>`
}

/** What can be printed: the e-tickets while they are valid, and every numbered paper. */
function paperLine(language: Language, { status }: Reservation, papers: readonly OwnPaper[]): Html | null {
  const words = WORDS[language].paper
  const [first] = papers
  if (first === undefined) return null
  const tickets = `/api/purchases/${first.purchaseId}/tickets.pdf`
  const numbered = papers.map(({ purchaseId, number, kind }) =>
    number === null
      ? null
      : html`<a href="/api/purchases/${purchaseId}/receipt.pdf?number=${number}">${say(language, kind === 'receipt' ? words.receiptLink : words.creditNoteLink, { number: String(number) })}</a> `,
  )
  return html`<p class="actions">${status === 'PAID' ? html`<a href="${tickets}">${words.ticketsLink}</a> ` : null}${numbered}</p>`
}

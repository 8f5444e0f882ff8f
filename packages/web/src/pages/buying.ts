import type { Reservation, SaleEvent } from '@seatwise/domain'
import type { Accent } from '../accent.ts'
import { type Fillable, type Html, html, trustedHtml } from '../html.ts'
import { icon } from '../icons.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { tellClock } from '../views/duration.ts'
import { formatMoney } from '../views/money.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'
import { timeTag } from './time-tag.ts'

export interface CheckoutFacts {
  readonly event: SaleEvent
  readonly reservation: Reservation
  readonly accent: Accent | null
  /** `sandbox` shows its cards; another provider's method is typed in. */
  readonly provider: string
  /** Under which the payment is asked for, however often the form is sent. */
  readonly key: string
  readonly stand: 'unpaid' | 'declined' | 'under-way' | 'sent-back'
  readonly eticketIds: readonly string[]
  readonly isGuest: boolean
  readonly now: number
}

const METHODS = ['sandbox_ok', 'sandbox_declined', 'sandbox_slow', 'sandbox_3ds'] as const

/** Paying for what is kept, and how that ended. A plain form: what needs no script cannot fail for want of one. */
export function checkoutPage(language: Language, facts: CheckoutFacts): Page {
  const words = WORDS[language].buy
  const { event, reservation, stand } = facts
  const isOpen = reservation.status === 'PENDING_PAYMENT' && reservation.expiresAt.getTime() > facts.now
  const isWaiting = isOpen && stand === 'under-way'
  const title = isOpen ? words.checkoutTitle : endingTitle(language, reservation)
  return {
    title: `${title} · ${event.name}`,
    accent: facts.accent,
    entry: 'shop',
    styles: ['shop'],
    frame: 'task',
    banner: html`<p class="banner"><span>${event.name}</span></p>`,
    ...(isWaiting ? { refreshSeconds: 2, data: { reloadMs: 1_500 } } : {}),
    body: html`<section class="narrow">
<h1>${title}</h1>
${isOpen ? openPart(language, facts) : endedPart(language, facts)}
</section>`,
  }
}

function openPart(language: Language, facts: CheckoutFacts): Html {
  const words = WORDS[language].buy
  const { reservation, stand, now } = facts
  const left = reservation.expiresAt.getTime() - now
  const seats = { count: reservation.items.length }
  return html`<p class="lead">${say(language, words.checkoutLead, seats)}</p>
<p class="kept"><span class="label">${words.keptFor}</span> <span class="number" data-clock="${Math.round(left)}" role="timer">${tellClock(left)}</span></p>
${seatTable(language, facts)}
${stand === 'declined' ? html`<p class="notice bad" role="alert">${say(language, words.declined, seats)}</p>` : null}
${stand === 'sent-back' ? html`<p class="notice bad" role="alert">${say(language, words.sentBack, seats)}</p>` : null}
${stand === 'under-way' ? underWay(language, reservation) : payForm(language, facts)}`
}

function underWay(language: Language, { id }: Reservation): Html {
  const words = WORDS[language].buy
  return html`<p class="notice" role="status">${words.underWay}</p><p><a class="button" href="/checkout/${id}">${words.checkAgain}</a></p>`
}

function payForm(language: Language, { reservation, provider, key }: CheckoutFacts): Html {
  const words = WORDS[language].buy
  const { id, amount, currency, items } = reservation
  const price = formatMoney(language, amount, currency)
  return html`<form method="post" action="/checkout/${id}/pay" class="stack" data-once>
<input type="hidden" name="key" value="${key}">
${amount === 0 ? null : methods(language, provider)}
<button class="main wide">${amount === 0 ? words.payFree : say(language, words.pay, { amount: price })}</button>
<p class="quiet" role="status" data-busy hidden>${words.paying}</p>
</form>
<form method="post" action="/checkout/${id}/give-back"><button class="plain">${say(language, words.giveBack, { count: items.length })}</button></form>`
}

function methods(language: Language, provider: string): Html {
  const words = WORDS[language].buy
  if (provider !== 'sandbox') {
    return html`<label class="field">${words.cardNumber}<input name="method" required maxlength="200" autocomplete="off"></label>`
  }
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
  const { reservation, event, eticketIds, isGuest, stand } = facts
  if (reservation.status === 'PAID') {
    const tickets = eticketIds.map(
      (id, index) =>
        html`<li><a class="button main" href="/etickets/${id}">${icon('ticket')}${words.eticket} ${index + 1}</a></li>`,
    )
    return html`<p class="lead">${isGuest ? words.paidLeadGuest : words.paidLead}</p>
${seatTable(language, facts)}<ul class="actions">${tickets}</ul>
<p class="actions"><a href="/reservations">${words.mine}</a> <a href="/">${words.toEvents}</a></p>`
  }
  const lead =
    reservation.status === 'CANCELED'
      ? words.canceledLead
      : reservation.status === 'REFUNDED'
        ? words.refundedLead
        : words.expiredLead
  // Money that came too late bought nothing; money that an organiser gave back had bought seats.
  const cameTooLate = stand === 'sent-back' && reservation.status !== 'REFUNDED'
  const said = say(language, cameTooLate ? words.sentBack : lead, { count: reservation.items.length })
  return html`<p class="lead">${said}</p>
<p class="actions"><a class="button main" href="/events/${event.id}/seats">${words.chooseAgain}</a> <a class="button" href="/">${words.toEvents}</a></p>`
}

function whenAndWhere(language: Language, { startsAt, timeZone, location }: SaleEvent): Html {
  const time = startsAt === null ? null : html`<p class="quiet">${timeTag(language, startsAt, timeZone, 'full')}</p>`
  return html`${time}${location === '' ? null : html`<p class="quiet">${location}</p>`}`
}

function seatTable(language: Language, { reservation, event }: CheckoutFacts): Html {
  const words = WORDS[language]
  const names = new Map(event.seatTypes.map(({ id, name }) => [id, name]))
  const { currency, items, amount } = reservation
  const rows = items.map(
    ({ seatTypeId, row, number, price }) => html`<tr><th scope="row">${names.get(seatTypeId) ?? ''}
${row === null || number === null ? null : html`<span class="quiet">${say(language, words.seats.seat, { row, number: String(number) })}</span>`}</th>
<td class="number">${formatMoney(language, price, currency)}</td></tr>`,
  )
  return html`${whenAndWhere(language, event)}<table class="prices"><tbody>${rows}</tbody>
<tfoot><tr><th scope="row">${words.seats.total}</th><td class="number">${formatMoney(language, amount, currency)}</td></tr></tfoot></table>`
}

export interface OwnReservation {
  readonly reservation: Reservation
  readonly event: SaleEvent | null
  readonly eticketIds: readonly string[]
}

/** All reservations and purchases of the buyer, the newest first. */
export function reservationsPage(language: Language, own: readonly OwnReservation[]): Page {
  const words = WORDS[language].buy
  const rows = own.map(
    ({ reservation, event, eticketIds }) => html`<li>
<div><h2>${event?.name ?? reservation.eventId}</h2>
<p class="quiet">${event?.startsAt ? timeTag(language, event.startsAt, event.timeZone, 'full') : null}</p>
<p>${say(language, words.seatCount, { count: reservation.items.length })} · ${formatMoney(language, reservation.amount, reservation.currency)} · ${words.status[reservation.status]}</p></div>
<p class="actions">${links(language, reservation, eticketIds)}</p></li>`,
  )
  return {
    title: words.mine,
    entry: 'shop',
    styles: ['shop'],
    body: html`<h1>${words.mine}</h1>
${own.length === 0 ? html`<p class="lead">${words.noneYet}</p><p><a class="button" href="/">${words.toEvents}</a></p>` : html`<ol class="owned">${rows}</ol>`}`,
  }
}

function links(language: Language, { status, id }: Reservation, eticketIds: readonly string[]): Fillable {
  const words = WORDS[language].buy
  if (status === 'PENDING_PAYMENT')
    return html`<a class="button main" href="/checkout/${id}">${words.checkoutTitle}</a>`
  if (status !== 'PAID') return null
  return eticketIds.map(
    (eticketId, index) =>
      html`<a class="button" href="/etickets/${eticketId}">${icon('ticket')}${words.eticket} ${index + 1}</a>`,
  )
}

export interface EticketFacts {
  readonly id: string
  readonly status: 'VALID' | 'USED' | 'VOID'
  /** The drawing of its code; null when it is void. */
  readonly drawing: string | null
  readonly event: {
    readonly name: string
    readonly location: string
    readonly timeZone: string
    readonly startsAt: string | null
  }
  readonly seat: { readonly type: string; readonly row: string | null; readonly number: number | null }
  readonly checkedInAt: string | null
}

/** An e-ticket: what the door needs, as large as it can be, on screen and on paper. */
export function eticketPage(language: Language, { id, status, drawing, event, seat, checkedInAt }: EticketFacts): Page {
  const words = WORDS[language].buy
  const [usedBefore = '', usedAfter = ''] = words.used.split('{time}')
  return {
    title: `${words.eticket} · ${event.name}`,
    entry: 'shop',
    styles: ['shop'],
    body: html`<article class="eticket ${status.toLowerCase()}">
<header><p class="label">${words.eticket}</p><h1>${event.name}</h1>
<p class="lead">${event.startsAt === null ? null : timeTag(language, new Date(event.startsAt), event.timeZone, 'full')}</p><p class="quiet">${event.location}</p></header>
<dl class="seat"><div><dt class="label">${WORDS[language].event.category}</dt><dd>${seat.type}</dd></div>
${seat.row === null ? null : html`<div><dt class="label">${words.row}</dt><dd>${seat.row}</dd></div><div><dt class="label">${words.seat}</dt><dd>${seat.number}</dd></div>`}</dl>
${drawing === null ? html`<p class="notice bad">${words.void}</p>` : html`<div class="qr">${trustedHtml(drawing)}</div>`}
${status === 'USED' && checkedInAt !== null ? html`<p class="notice">${usedBefore}${timeTag(language, new Date(checkedInAt), event.timeZone)}${usedAfter}</p>` : null}
${status === 'VALID' ? html`<p>${words.atTheDoor}</p>` : null}
<p class="quiet small number">${words.number} ${id}</p>
<p class="actions no-print"><button data-print hidden>${icon('print')}${words.print}</button> <a href="/reservations">${words.mine}</a></p>
</article>`,
  }
}

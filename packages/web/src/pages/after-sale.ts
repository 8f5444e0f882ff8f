import type { Host, Reservation, SaleEvent } from '@seatwise/domain'
import { type Html, html } from '../html.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'
import { seatTable } from './buying.ts'
import { type EticketFacts, eticketArticle } from './eticket.ts'
import { timeTag } from './time-tag.ts'

/*
 * Pages that mail links to. Each is for one task and leads nowhere else: their addresses are secrets. What they do needs
 * a press of a button, because programs open links in mail before people do.
 */

export interface OrderFacts {
  readonly event: SaleEvent
  readonly reservation: Reservation
  /** Those that the buyer still has. */
  readonly etickets: readonly EticketFacts[]
  readonly givenTo: readonly string[]
}

/** One order and its e-tickets, for a buyer without an account. */
export function orderPage(language: Language, facts: OrderFacts): Page {
  const words = WORDS[language].after
  const { event, reservation, etickets, givenTo } = facts
  const shown = etickets.map((eticket) => eticketArticle(language, eticket, 'h2'))
  return taskPage(event, words.orderTitle, [
    html`<p>${WORDS[language].buy.status[reservation.status]} · <span class="quiet small number">${say(language, words.orderNumber, { id: reservation.id })}</span></p>
${seatTable(language, facts)}
${givenTo.map((email) => html`<p class="notice">${say(language, words.givenTo, { email })}</p>`)}
<p class="hint">${words.orderPrivate}</p>
${shown}`,
  ])
}

/** How a transfer stands for the one who has its link. */
export type TransferStand = 'open' | 'over' | 'used' | 'void' | 'closed'

export function transferPage(
  language: Language,
  { event, seat }: Pick<EticketFacts, 'event' | 'seat'>,
  { stand, token }: { readonly stand: TransferStand; readonly token: string },
): Page {
  const words = WORDS[language].after
  const lead = {
    ...{ open: words.takeLead, over: words.overLead, used: words.usedLead },
    ...{ void: words.voidLead, closed: words.closedLead },
  }[stand]
  const place =
    seat.row === null
      ? null
      : ` · ${say(language, WORDS[language].seats.seat, { row: seat.row, number: String(seat.number) })}`
  return taskPage(event, stand === 'open' ? words.takeTitle : words.overTitle, [
    html`<p class="lead">${lead}</p>
<p>${event.startsAt === null ? null : timeTag(language, new Date(event.startsAt), event.timeZone, 'full')}</p>
<p><strong>${seat.type}${place}</strong></p>
${stand === 'open' ? button(`/transfer/${token}`, words.take) : null}`,
  ])
}

/** An entry of the returns list: confirmed here, and left here. */
export function listedPage(
  language: Language,
  event: SaleEvent,
  entry: { readonly status: string; readonly quantity: number; readonly token: string },
): Page {
  const words = WORDS[language].after
  const { status, quantity, token } = entry
  const path = `/returns/${token}`
  const body = {
    unconfirmed: html`<p class="lead">${say(language, words.confirmLead, { count: quantity })}</p>${button(path, words.confirm)}`,
    waiting: html`<p class="notice" role="status">${words.listedLead}</p>${button(`${path}/leave`, words.leave, 'plain')}`,
    offered: html`<p class="notice" role="status">${words.offeredLead}</p>`,
    served: html`<p class="notice" role="status">${words.servedLead}</p>`,
  }[status]
  return taskPage(event, words.confirmTitle, [
    body ??
      html`<p class="notice" role="status">${words.leftLead}</p><p><a href="/events/${event.id}">${event.name}</a></p>`,
  ])
}

/** How an offer stands for the one who has its link. */
export type OfferStand = 'open' | 'taken' | 'over' | 'limit'

export function offerPage(
  language: Language,
  facts: { readonly event: SaleEvent; readonly reservation: Reservation },
  { stand, token }: { readonly stand: OfferStand; readonly token: string },
): Page {
  const words = WORDS[language].after
  const { event, reservation } = facts
  if (stand === 'over') {
    return taskPage(event, words.offerOverTitle, [
      html`<p class="lead">${words.offerOverLead}</p><p><a class="button" href="/events/${event.id}">${event.name}</a></p>`,
    ])
  }
  const [before = '', after = ''] = words.offerUntil.split('{time}')
  const until = timeTag(language, reservation.expiresAt, event.timeZone)
  const path = `/offers/${token}`
  return taskPage(event, say(language, words.offerTitle, { count: reservation.items.length }), [
    html`<p class="lead">${before}${until}${after}</p>
${seatTable(language, facts)}
${stand === 'limit' ? html`<p class="notice bad" role="alert">${words.offerLimit}</p>` : null}
${stand === 'taken' ? html`<p class="notice" role="status">${words.offerTakenLead}</p>` : null}
${button(path, stand === 'taken' ? words.toCheckout : words.offerAccept)}
${stand === 'open' ? button(`${path}/decline`, words.offerDecline, 'plain') : null}`,
  ])
}

function button(action: string, label: string, look: 'main wide' | 'plain' = 'main wide'): Html {
  return html`<form method="post" action="${action}" data-once><button class="${look}">${label}</button></form>`
}

interface TaskEvent {
  readonly name: string
  readonly organizer?: Host
}

function taskPage(event: TaskEvent, title: string, body: readonly Html[]): Page {
  return {
    title: `${title} · ${event.name}`,
    ...(event.organizer === undefined ? {} : { host: event.organizer }),
    entry: 'shop',
    styles: ['shop'],
    frame: 'task',
    banner: html`<p class="banner"><span>${event.name}</span></p>`,
    body: html`<section class="narrow">
<h1>${title}</h1>
${body}
</section>`,
  }
}

/** The form on the page of a sold-out event. */
export function returnsForm(language: Language, event: SaleEvent, isAsked: boolean): Html {
  const words = WORDS[language].after
  if (isAsked) return html`<p class="notice" role="status">${words.returnsSent}</p>`
  const types = event.seatTypes.map(({ id, name }) => html`<option value="${id}">${name}</option>`)
  return html`<h2>${words.returnsTitle}</h2>
<form method="post" action="/events/${event.id}/returns" class="stack" data-once>
<p id="returns-hint">${words.returnsLead}</p>
<label class="field">${words.returnsEmail}<input name="email" type="email" required maxlength="254" autocomplete="email" aria-describedby="returns-hint"></label>
${types.length < 2 ? null : html`<label class="field">${words.returnsType}<select name="seatTypeId"><option value="">${words.returnsAny}</option>${types}</select></label>`}
<label class="field">${words.returnsQuantity}<input name="quantity" type="number" required min="1" max="${event.room.maxSeatsPerBuyer}" value="1"></label>
<button class="wide">${words.returnsAsk}</button>
</form>`
}

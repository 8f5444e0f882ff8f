import { isNamed, type SaleEvent, type SeatType } from '@seatwise/domain'
import type { Accent } from '../accent.ts'
import { type Html, html } from '../html.ts'
import { icon } from '../icons.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { markdown } from '../views/markdown.ts'
import { formatMoney } from '../views/money.ts'
import { type SaleState, saleState } from '../views/sale-state.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'
import { returnsForm } from './after-sale.ts'
import { type CodeVerdict, codeField } from './code-field.ts'
import { timeTag } from './time-tag.ts'
import { eventPreview } from './window/event-preview.ts'
import { pictureOf } from './window/picture.ts'

export interface EventLook {
  readonly accent: Accent | null
  readonly isSoldOut: boolean
  /** An address was just entered for the returns list. */
  readonly isAsked: boolean
  /** Returned seats are offered by mail. */
  readonly hasMail: boolean
  readonly now: Date
  /** Of this site, for previews on others. */
  readonly origin: string
  /** How the code ended that the visitor has just sent. */
  readonly code: CodeVerdict | null
}

/** One event: what it is, what it costs, and the one thing to do now. */
export function eventPage(language: Language, event: SaleEvent, look: EventLook): Page {
  const { accent, isSoldOut, isAsked, hasMail, now, code, origin } = look
  const words = WORDS[language].event
  const state = saleState(event, now, isSoldOut)
  const { before, after } = around(words.overLead)
  return {
    title: event.name,
    host: event.organizer,
    preview: eventPreview(event, state, origin),
    accent,
    entry: 'shop',
    styles: ['shop'],
    data: { words: { days: words.days, hours: words.hours, minutes: words.minutes, seconds: words.seconds } },
    body: html`<article class="event">
<header class="event-head">
<h1>${event.name}</h1>
<p class="lead">${event.startsAt === null ? words.dateOpen : timeTag(language, event.startsAt, event.timeZone, 'full')}</p>
${event.location === '' ? null : html`<p class="place">${icon('pin')}${event.location}</p>`}
${byHost(language, event)}
</header>
<div class="event-body">
${pictureOf(event, 'event-picture')}
<aside class="sheet">
${offer(language, event, state)}
${state === 'ended' ? null : eventCode(language, event, { state, verdict: code, now })}
${state === 'sold-out' && hasMail ? returnsForm(language, event, isAsked) : null}
${state === 'ended' && event.state !== 'cancelled' ? html`<p>${before}${timeTag(language, event.salesEndAt, event.timeZone)}${after}</p>` : null}
<hr>
${goodToKnow(language, event)}
</aside>
<div class="event-text stack">
${event.description.trim() === '' ? null : html`<div class="story">${markdown(event.description)}</div>`}
<h2>${words.prices}</h2>
${priceTable(language, event.seatTypes)}
</div>
</div>
</article>`,
  }
}

function around(sentence: string): { before: string; after: string } {
  const [before = '', after = ''] = sentence.split('{time}')
  return { before, after }
}

/** "By" and the organization, with a link to its page. */
function byHost(language: Language, { organizer }: SaleEvent): Html | null {
  if (!isNamed(organizer)) return null
  const [before = '', after = ''] = WORDS[language].event.by.split('{host}')
  return html`<p class="by">${before}<a href="/o/${organizer.slug}">${organizer.name}</a>${after}</p>`
}

/** Also in the lobby. */
export function priceTable(language: Language, types: readonly SeatType[]): Html {
  const words = WORDS[language].event
  const money = (price: number, currency: string) => (price === 0 ? words.free : formatMoney(language, price, currency))
  const rows = types.map(
    ({ name, price, currency, variants, remaining, reservedSeating }) => html`<tr><th scope="row">${name}
<span class="quiet small">${reservedSeating ? words.numbered : words.unnumbered}</span></th>
<td class="number">${variants.length === 0 ? money(price, currency) : variants.map((one) => html`<span class="variant">${one.name} ${money(one.price, currency)}</span>`)}</td>
<td class="number quiet">${remaining === 0 ? words.noneLeft : say(language, words.left, { count: remaining })}</td></tr>`,
  )
  return html`<table class="prices"><thead class="heard"><tr><th scope="col">${words.category}</th><th scope="col">${words.price}</th><th scope="col">${WORDS[language].wait.seats}</th></tr></thead><tbody>${rows}</tbody></table>`
}

function offer(language: Language, event: SaleEvent, state: SaleState): Html | null {
  const words = WORDS[language].event
  const wait = `/events/${event.id}/wait`
  if (event.state === 'cancelled') {
    const { message } = event.room
    return html`<p class="state ended">${words.cancelled}</p><p>${words.cancelledLead}</p>
${message === null ? null : html`<p class="prose">${message}</p>`}`
  }
  const get = html`<a class="button main wide" href="${wait}">${icon('ticket')}${words.getTickets}</a>`
  switch (state) {
    case 'before':
      return html`<p class="label">${words.opensIn}</p>
<div class="countdown" data-until="${event.salesStartAt.toISOString()}" role="timer"></div>
<p>${timeTag(language, event.salesStartAt, event.timeZone, 'full')}</p>
<div data-when-open hidden><p>${words.isOpen}</p>${get}</div>
<a class="button wide" href="/events/${event.id}/calendar.ics">${icon('calendar')}${words.calendar}</a>`
    case 'open':
    case 'paused':
      return html`<p class="state ${state}">${state === 'open' ? words.onSaleNow : words.paused}</p>${get}`
    case 'held':
      return html`<p class="state">${words.allHeld}</p><p>${words.allHeldLead}</p>${get}`
    case 'sold-out':
      return html`<p class="state sold-out">${words.soldOut}</p><p>${words.soldOutLead}</p>
${event.room.keepLineWhenSoldOut ? html`<a class="button wide" href="${wait}">${words.joinWaiting}</a>` : null}`
    case 'ended':
      return html`<p class="state ended">${words.over}</p>
<p><a href="/events/${event.id}/fairness">${WORDS[language].fairness.title}</a></p>`
  }
}

/** In a presale, and when only hidden seats may be left, the field comes with the way into the line, for those with a code. */
function eventCode(
  language: Language,
  { id, presaleStartAt }: SaleEvent,
  { state, verdict, now }: { state: SaleState; verdict: CodeVerdict | null; now: Date },
): Html {
  const isForCodes = state === 'sold-out' || (state === 'before' && presaleStartAt !== null && presaleStartAt <= now)
  const field = { action: `/events/${id}/code`, next: `/events/${id}`, applied: null, verdict }
  return html`${codeField(language, field)}
${isForCodes && verdict === 'kept' ? html`<a class="button main wide" href="/events/${id}/wait">${icon('ticket')}${WORDS[language].event.getTickets}</a>` : null}`
}

export function goodToKnow(language: Language, { room, doorsAt, ageMin, timeZone }: SaleEvent): Html {
  const words = WORDS[language].event
  const lines = [
    say(language, words.maxSeats, { count: room.maxSeatsPerBuyer }),
    say(language, words.timeInside, { count: Math.max(1, Math.round(room.sessionSeconds / 60)) }),
    words.haveReady,
    words.fairLine,
  ]
  const { before, after } = around(words.doorsOpen)
  const doors = doorsAt === null ? null : html`<li>${before}${timeTag(language, doorsAt, timeZone)}${after}</li>`
  const age = ageMin === null || ageMin === 0 ? null : html`<li>${say(language, words.ageMin, { count: ageMin })}</li>`
  return html`<h2 class="label">${words.limits}</h2><ul class="facts">${doors}${age}${lines.map((line) => html`<li>${line}</li>`)}</ul>`
}

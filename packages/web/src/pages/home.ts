import type { SaleEvent } from '@seatwise/domain'
import { type Html, html } from '../html.ts'
import { icon } from '../icons.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { formatOf } from '../views/moment.ts'
import { formatMoney } from '../views/money.ts'
import { type SaleState, saleState } from '../views/sale-state.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'
import { shortTimeTag } from './time-tag.ts'

export interface HomeFacts {
  readonly events: readonly SaleEvent[]
  readonly words: string
  readonly place: string
  readonly nextCursor: string | null
  /** Ids of those where everything is sold. */
  readonly soldOut: ReadonlySet<string>
  readonly now: Date
}

/** Everything that is on, or what was searched for: one line each, like the season on the back of a programme. */
export function homePage(
  language: Language,
  { events, words: query, place, nextCursor, soldOut, now }: HomeFacts,
): Page {
  const words = WORDS[language].event
  const isSearch = query !== '' || place !== ''
  const more = nextCursor === null ? null : new URLSearchParams({ q: query, location: place, cursor: nextCursor })
  return {
    title: words.listTitle,
    entry: 'shop',
    styles: ['shop'],
    body: html`<h1>${words.listTitle}</h1>
<form class="search" role="search" action="/" method="get">
<label class="field"><span class="label">${words.searchFor}</span><input type="search" name="q" maxlength="100" value="${query}"></label>
<label class="field"><span class="label">${words.where}</span><input type="search" name="location" maxlength="100" value="${place}"></label>
<button>${icon('search')}${words.search}</button>
</form>
${isSearch ? html`<p class="quiet" role="status">${say(language, words.found, { count: events.length })} · <a href="/">${words.showAll}</a></p>` : null}
${events.length === 0 ? html`<p class="lead">${words.nothing}</p>` : html`<ol class="programme">${events.map((event) => entry(language, event, saleState(event, now, soldOut.has(event.id))))}</ol>`}
${more === null ? null : html`<p><a class="button" href="/?${more.toString()}">${words.more}</a></p>`}`,
  }
}

function entry(language: Language, event: SaleEvent, state: SaleState): Html {
  const words = WORDS[language].event
  const prices = event.seatTypes.map(({ price }) => price)
  const lowest = Math.min(...prices)
  const currency = event.seatTypes[0]?.currency ?? 'EUR'
  const price = lowest === 0 ? words.free : formatMoney(language, lowest, currency)
  return html`<li><a href="/events/${event.id}">
${dateBlock(language, event)}
<span class="what"><span class="name">${event.name}</span><span class="quiet">${whereAndWhen(language, event)}</span></span>
<span class="offer"><span class="state ${state}">${stateWords(language, event, state)}</span>
<span class="quiet">${prices.length > 1 && lowest > 0 ? say(language, words.from, { price }) : price}</span></span>
</a></li>`
}

/** The day on the calendar at the venue. */
function dateBlock(language: Language, { startsAt, timeZone }: SaleEvent): Html {
  if (startsAt === null) return html`<span class="date" aria-hidden="true">–</span>`
  const part = (options: Intl.DateTimeFormatOptions) => formatOf(language, { ...options, timeZone }).format(startsAt)
  const day = formatOf('en', { day: 'numeric', timeZone }).format(startsAt)
  return html`<time class="date" datetime="${startsAt.toISOString()}"><b class="number">${day}</b> <span>${part({ month: 'short' })}</span> <span class="quiet">${part({ year: 'numeric' })}</span></time>`
}

function whereAndWhen(language: Language, { location, startsAt, timeZone }: SaleEvent): Html {
  const time = startsAt === null ? null : shortTimeTag(language, startsAt, timeZone, 'time')
  return html`${location}${location !== '' && time !== null ? ' · ' : null}${time}`
}

function stateWords(language: Language, event: SaleEvent, state: SaleState): Html | string {
  const words = WORDS[language].event
  switch (state) {
    case 'before':
      return html`${words.opens.split('{time}')[0] ?? ''}${shortTimeTag(language, event.salesStartAt, event.timeZone)}${words.opens.split('{time}')[1] ?? ''}`
    case 'open':
      return words.onSaleNow
    case 'paused':
      return words.paused
    case 'held':
      return words.allHeld
    case 'sold-out':
      return words.soldOut
    case 'ended':
      return words.over
  }
}

import { type Host, isNamed, type SaleEvent } from '@seatwise/domain'
import { type Html, html } from '../../html.ts'
import type { Language } from '../../language.ts'
import { formatOf } from '../../views/moment.ts'
import { formatMoney } from '../../views/money.ts'
import { type SaleState, saleState } from '../../views/sale-state.ts'
import { WORDS } from '../../words/index.ts'
import { say } from '../../words/say.ts'
import { shortTimeTag } from '../time-tag.ts'
import { pictureOf } from './picture.ts'

/** A page of events. */
export interface Programme {
  readonly events: readonly SaleEvent[]
  /** Ids of those where everything is sold. */
  readonly soldOut: ReadonlySet<string>
  readonly now: Date
  /** Whose page it is: their own name stands above it already. */
  readonly of?: Host | null
}

/** A card for each event. The pictures of the first are on the screen at once. */
export function programmeOf(language: Language, { events, soldOut, now, of }: Programme): Html {
  const cards = events.map((event, index) => {
    const state = saleState(event, now, soldOut.has(event.id))
    const isElsewhere = isNamed(event.organizer) && event.organizer.slug !== of?.slug
    return card(language, event, state, { loading: index < EAGER ? 'eager' : 'lazy', isElsewhere })
  })
  return html`<ol class="programme">${cards}</ol>`
}

const EAGER = 2

function card(
  language: Language,
  event: SaleEvent,
  state: SaleState,
  { loading, isElsewhere }: { loading: 'eager' | 'lazy'; isElsewhere: boolean },
): Html {
  const { organizer } = event
  return html`<li><a href="/events/${event.id}">
<span class="poster">${pictureOf(event, 'card-picture', loading)}${dateBlock(language, event)}</span>
<span class="what"><span class="name">${event.name}</span>
<span class="quiet">${whenAndWhere(language, event)}</span>
${isElsewhere ? html`<span class="quiet small">${organizer.name}</span>` : null}</span>
<span class="offer"><span class="state ${state}">${stateWords(language, event, state)}</span>
<span class="price">${priceWords(language, event)}</span></span>
</a></li>`
}

/** What the cheapest ticket costs. */
function priceWords(language: Language, { seatTypes }: SaleEvent): string {
  const words = WORDS[language].event
  const prices = seatTypes.flatMap(({ price, variants }) =>
    variants.length === 0 ? [price] : variants.map((one) => one.price),
  )
  const lowest = Math.min(...prices)
  if (!Number.isFinite(lowest)) return ''
  if (lowest === 0) return words.free
  const price = formatMoney(language, lowest, seatTypes[0]?.currency ?? 'EUR')
  return prices.some((other) => other > lowest) ? say(language, words.from, { price }) : price
}

/** The day on the calendar at the venue. */
function dateBlock(language: Language, { startsAt, timeZone }: SaleEvent): Html {
  if (startsAt === null) return html`<span class="date" aria-hidden="true"><b class="number">–</b></span>`
  const part = (options: Intl.DateTimeFormatOptions) => formatOf(language, { ...options, timeZone }).format(startsAt)
  const day = formatOf('en', { day: 'numeric', timeZone }).format(startsAt)
  return html`<time class="date" datetime="${startsAt.toISOString()}"><span>${part({ weekday: 'short' })}</span> <b class="number">${day}</b> <span>${part({ month: 'short' })}</span> <span class="quiet">${part({ year: 'numeric' })}</span></time>`
}

function whenAndWhere(language: Language, { location, startsAt, timeZone }: SaleEvent): Html {
  const time = startsAt === null ? WORDS[language].event.dateOpen : shortTimeTag(language, startsAt, timeZone, 'time')
  return html`${time}${location === '' ? null : ' · '}${location}`
}

function stateWords(language: Language, event: SaleEvent, state: SaleState): Html | string {
  const words = WORDS[language].event
  switch (state) {
    case 'before': {
      const [before = '', after = ''] = words.opens.split('{time}')
      return html`${before}${shortTimeTag(language, event.salesStartAt, event.timeZone)}${after}`
    }
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

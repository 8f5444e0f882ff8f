import { type Html, html } from '../../html.ts'
import { icon } from '../../icons.ts'
import type { Language } from '../../language.ts'
import type { Page } from '../../page.ts'
import { WORDS } from '../../words/index.ts'
import { say } from '../../words/say.ts'
import { type Programme, programmeOf } from './programme.ts'

/** What the visitor looks for. */
export interface HomeFilters {
  readonly words: string
  readonly place: string
  /** Days like 2026-11-15, by the clock at the venue. */
  readonly fromDay: string | null
  readonly toDay: string | null
  /** In the units that people count in. */
  readonly priceMax: number | null
}

export interface HomeFacts extends Programme {
  readonly filters: HomeFilters
  readonly nextCursor: string | null
}

/** Everything that is on in order of its date, or what the visitor looks for. */
export function homePage(language: Language, { filters, nextCursor, ...programme }: HomeFacts): Page {
  const words = WORDS[language].event
  const count = programme.events.length
  const asked = askedFor(filters)
  const isSearch = [...asked.keys()].length > 0
  const more = new URLSearchParams([...asked, ['cursor', nextCursor ?? '']]).toString()
  return {
    title: words.listTitle,
    entry: 'shop',
    styles: ['shop'],
    body: html`<h1>${words.listTitle}</h1>
${count === 0 && !isSearch ? null : filterForm(language, filters)}
${isSearch ? html`<p class="quiet found" role="status">${say(language, words.found, { count })} · <a href="/">${words.showAll}</a></p>` : null}
${count > 0 ? programmeOf(language, programme) : html`<p class="lead empty">${isSearch ? words.nothing : words.nothingOn}</p>`}
${nextCursor === null ? null : html`<p><a class="button" href="/?${more}">${words.more}</a></p>`}`,
  }
}

function askedFor({ words, place, fromDay, toDay, priceMax }: HomeFilters): URLSearchParams {
  const all: [string, string][] = [
    ['q', words],
    ['location', place],
    ['from', fromDay ?? ''],
    ['to', toDay ?? ''],
    ['price', priceMax === null ? '' : String(priceMax)],
  ]
  return new URLSearchParams(all.filter(([, value]) => value !== ''))
}

/** A plain form. Date and price are folded away until they are used: most visitors know a name. */
function filterForm(language: Language, { words: query, place, fromDay, toDay, priceMax }: HomeFilters): Html {
  const words = WORDS[language].event
  const hasMore = fromDay !== null || toDay !== null || priceMax !== null
  const fields = html`<div class="filters">
<label class="field"><span class="label">${words.fromDay}</span><input type="date" name="from" value="${fromDay ?? ''}"></label>
<label class="field"><span class="label">${words.toDay}</span><input type="date" name="to" value="${toDay ?? ''}"></label>
<label class="field"><span class="label">${words.priceMax}</span><input type="number" name="price" min="0" step="any" inputmode="decimal" value="${priceMax === null ? '' : String(priceMax)}"></label>
</div>`
  return html`<form class="search" role="search" action="/" method="get">
<label class="field"><span class="label">${words.searchFor}</span><input type="search" name="q" maxlength="100" value="${query}"></label>
<label class="field"><span class="label">${words.where}</span><input type="search" name="location" maxlength="100" value="${place}"></label>
<button>${icon('search')}${words.search}</button>
${hasMore ? html`<details open><summary>${words.filters}</summary>${fields}</details>` : html`<details><summary>${words.filters}</summary>${fields}</details>`}
</form>`
}

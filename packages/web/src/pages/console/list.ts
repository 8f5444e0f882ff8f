import { type Html, html } from '../../html.ts'
import { icon } from '../../icons.ts'
import type { Language } from '../../language.ts'
import type { Page } from '../../page.ts'
import { WORDS } from '../../words/index.ts'
import { formatNumber } from '../../words/say.ts'
import type { Words } from '../../words/words.ts'
import { shortTimeTag } from '../time-tag.ts'
import type { ConsoleData } from './data.ts'

/** A sale as the list shows it. */
export interface ListedSale {
  readonly id: string
  readonly name: string
  readonly location: string
  readonly timeZone: string
  readonly state: keyof Words['acts']['states']
  readonly salesStartAt: Date
  readonly salesEndAt: Date
  readonly phase: keyof Words['console']['phase'] | null
  readonly waiting: number | null
  readonly active: number | null
  readonly available: number
  readonly sold: number
}

export interface ListedRoom {
  readonly id: string
  readonly name: string
  readonly target: string | null
}

export interface ConsoleList {
  readonly sales: readonly ListedSale[]
  readonly rooms: readonly ListedRoom[]
  /** What was looked for. */
  readonly find: string
  readonly nextOffset: number | null
  readonly mayChange: boolean
  /** Admins act for the organizations. */
  readonly maySettle: boolean
}

/** All sales that the operator may see; a table that needs no JavaScript. */
export function consoleListPage(language: Language, list: ConsoleList): Page {
  const words = WORDS[language].console
  const { sales, rooms, find, nextOffset, mayChange, maySettle } = list
  const more = `/console?${new URLSearchParams({ q: find, offset: String(nextOffset ?? 0) })}`
  const data: ConsoleData = { language, words, mayChange, timeZone: null }
  return {
    title: words.title,
    styles: ['console'],
    entry: 'console-list',
    data,
    body: html`<div class="console stack">
<div class="console-head">
<h1>${words.title}</h1>
<div class="actions"><a class="button" href="/console/organization">${WORDS[language].organization.title}</a>
${maySettle ? html`<a class="button" href="/console/organizations">${words.seller.title}</a>` : null}
${mayChange ? html`<a class="button main" href="/console/new">${icon('plus')}${words.list.newEvent}</a>` : null}</div>
</div>
<form class="finder" method="get" action="/console" role="search">
<label class="field">${words.list.find}<input type="search" name="q" maxlength="100" value="${find}"></label>
<button>${icon('search')}<span class="heard">${words.list.find}</span></button>
</form>
<section class="stack" aria-labelledby="events">
<h2 id="events">${words.list.events}</h2>
${sales.length === 0 ? html`<p>${words.list.none}</p>` : saleTable(language, words, sales, mayChange)}
${nextOffset === null ? null : html`<p><a class="button" href="${more}">${words.list.more}</a></p>`}
</section>
${mayChange ? roomSection(words, WORDS[language].sites.open, rooms) : null}
</div>`,
  }
}

function saleTable(
  language: Language,
  words: Words['console'],
  sales: readonly ListedSale[],
  mayChange: boolean,
): Html {
  const count = (value: number | null): string => (value === null ? '–' : formatNumber(language, value))
  const rows = sales.map(
    (sale) => html`<tr data-sale="${sale.id}">
<td><a href="/console/events/${sale.id}">${sale.name}</a>${sale.state === 'published' ? null : html` <span class="chip">${WORDS[language].acts.states[sale.state]}</span>`}<div class="small quiet">${sale.location}</div></td>
<td><span class="chip ${sale.phase}" data-field="phase" ${sale.phase === null ? html`hidden` : null}>${sale.phase === null ? null : words.phase[sale.phase]}</span>
<div class="small quiet">${shortTimeTag(language, sale.salesStartAt, sale.timeZone)}</div></td>
<td class="number" data-field="waiting">${count(sale.waiting)}</td>
<td class="number" data-field="active">${count(sale.active)}</td>
<td class="number" data-field="sold">${count(sale.sold)}</td>
<td class="number" data-field="available">${count(sale.available)}</td>
<td class="actions">${mayChange ? html`<a href="/console/events/${sale.id}/edit">${words.list.edit}<span class="heard"> ${sale.name}</span></a>` : null}
<a href="/console/events/${sale.id}/door">${WORDS[language].door.title}<span class="heard"> ${sale.name}</span></a>
<a href="/console/events/${sale.id}/check-in">${words.checkIn.title}<span class="heard"> ${sale.name}</span></a></td>
</tr>`,
  )
  return html`<div class="table-scroll"><table>
<caption class="heard">${words.list.events}</caption>
<thead><tr><th scope="col">${words.list.event}</th><th scope="col">${words.list.sale}</th><th scope="col">${words.list.waiting}</th>
<th scope="col">${words.list.floor}</th><th scope="col">${words.list.sold}</th><th scope="col">${words.list.left}</th>
<th scope="col"><span class="heard">${words.list.open}</span></th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

function roomSection(words: Words['console'], setUp: string, rooms: readonly ListedRoom[]): Html {
  const rows = rooms.map(
    ({ id, name, target }) =>
      html`<tr><td><a href="/console/rooms/${id}">${name}</a></td><td class="code">${target}</td><td><a href="/console/rooms/${id}/site">${setUp}<span class="heard"> ${name}</span></a></td></tr>`,
  )
  return html`<section class="stack" aria-labelledby="rooms">
<h2 id="rooms">${words.list.rooms}</h2>
${
  rooms.length === 0
    ? html`<p>${words.list.noRooms}</p>`
    : html`<div class="table-scroll"><table><caption class="heard">${words.list.rooms}</caption>
<thead><tr><th scope="col">${words.list.room}</th><th scope="col">${words.list.site}</th><th scope="col"><span class="heard">${words.list.open}</span></th></tr></thead><tbody>${rows}</tbody></table></div>`
}
<form class="finder" method="post" action="/console/rooms">
<label class="field">${words.list.roomName}<input name="name" required maxlength="200"></label>
<label class="field">${words.list.roomTarget}<input name="target" type="url" required maxlength="2000" placeholder="https://"></label>
<button>${words.list.makeRoom}</button>
</form>
</section>`
}

import { type Html, html } from '../../html.ts'
import { icon } from '../../icons.ts'
import type { Language } from '../../language.ts'
import type { Page } from '../../page.ts'
import { WORDS } from '../../words/index.ts'
import type { Words } from '../../words/words.ts'
import type { SaleData } from './data.ts'

export interface ConsoleSale {
  readonly kind: 'event' | 'room'
  readonly id: string
  readonly name: string
  readonly opensAt: Date | null
  readonly mayChange: boolean
  readonly timeZone: string | null
  /** Null for a room without an event. */
  readonly state: keyof Words['acts']['states'] | null
  /** Publish and duplicate it. */
  readonly mayEdit: boolean
}

/** One sale live. What moves is drawn by its script. */
export function consoleSalePage(language: Language, sale: ConsoleSale): Page {
  const words = WORDS[language].console
  const { kind, id, name, mayChange, timeZone } = sale
  const opensAt = sale.opensAt?.toISOString() ?? null
  const data: SaleData = { language, words, kind, id, name, mayChange, timeZone, opensAt }
  return {
    title: name,
    styles: ['console'],
    entry: 'console-sale',
    data,
    body: html`<div class="console stack">
<nav class="small" aria-label="${words.title}"><a href="/console">${icon('back')}${words.title}</a></nav>
<div class="console-head">
<h1>${name}</h1>
${kind === 'event' ? eventLinks(language, sale) : null}
${kind === 'room' && mayChange ? html`<p class="actions"><a class="button" href="/console/rooms/${id}/site">${icon('globe')}${WORDS[language].sites.open}</a></p>` : null}
</div>
${stateOf(language, sale)}
<div id="sale"><p class="notice">${words.needsScript}</p></div>
</div>`,
  }
}

/** Whether visitors see the event at all, and the buttons about the whole of it: plain forms. */
function stateOf(language: Language, { id, state, mayEdit }: ConsoleSale): Html | null {
  const words = WORDS[language].acts
  if (state === null || (state === 'published' && !mayEdit)) return null
  const lead = state === 'draft' ? words.draftLead : null
  const button = (act: 'publish' | 'duplicate'): Html =>
    html`<form method="post" action="/console/events/${id}/${act}"><button class="${act === 'publish' ? 'main' : null}" title="${act === 'duplicate' ? words.duplicateLead : null}">${words[act]}</button></form>`
  return html`<div class="actions">
${state === 'published' ? null : html`<span class="chip">${words.states[state]}</span>`}${lead === null ? null : html`<span>${lead}</span>`}
${mayEdit && state === 'draft' ? button('publish') : null}${mayEdit ? button('duplicate') : null}
</div>`
}

function eventLinks(language: Language, { id, mayChange, mayEdit }: ConsoleSale): Html {
  const words = WORDS[language].console
  const doorTitle = WORDS[language].door.title
  return html`<p class="actions">
<a class="button" href="/console/events/${id}/door">${icon('ticket')}${doorTitle}</a>
<a class="button" href="/console/events/${id}/check-in">${icon('door')}${words.checkIn.title}</a>
${mayEdit ? html`<a class="button" href="/console/events/${id}/mail">${icon('mail')}${WORDS[language].mailing.open}</a>` : null}
${mayChange ? html`<a class="button" href="/console/events/${id}/edit">${icon('chair')}${words.edit.title}</a>` : null}
</p>`
}

import { type Html, html } from '../../html.ts'
import { icon } from '../../icons.ts'
import type { Language } from '../../language.ts'
import type { Page } from '../../page.ts'
import { WORDS } from '../../words/index.ts'
import type { SaleData } from './data.ts'

export interface ConsoleSale {
  readonly kind: 'event' | 'room'
  readonly id: string
  readonly name: string
  readonly opensAt: Date | null
  readonly mayChange: boolean
  readonly timeZone: string | null
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
${kind === 'event' ? eventLinks(words, id, mayChange, WORDS[language].door.title) : null}
</div>
<div id="sale"><p class="notice">${words.needsScript}</p></div>
</div>`,
  }
}

function eventLinks(
  words: (typeof WORDS)[Language]['console'],
  id: string,
  mayChange: boolean,
  doorTitle: string,
): Html {
  return html`<p class="actions">
<a class="button" href="/console/events/${id}/door">${icon('ticket')}${doorTitle}</a>
<a class="button" href="/console/events/${id}/check-in">${icon('door')}${words.checkIn.title}</a>
${mayChange ? html`<a class="button" href="/console/events/${id}/edit">${icon('chair')}${words.edit.title}</a>` : null}
</p>`
}

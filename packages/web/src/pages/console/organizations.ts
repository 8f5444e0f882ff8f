import { html } from '../../html.ts'
import { icon } from '../../icons.ts'
import type { Language } from '../../language.ts'
import type { Page } from '../../page.ts'
import { WORDS } from '../../words/index.ts'
import type { OrganizationsData } from './data.ts'

/** The seller's data on receipts, and settlements. */
export function consoleOrganizationsPage(language: Language, organizations: OrganizationsData['organizations']): Page {
  const words = WORDS[language].console
  const data: OrganizationsData = { language, words, mayChange: true, timeZone: null, organizations }
  return {
    title: words.seller.title,
    styles: ['console'],
    entry: 'console-organizations',
    data,
    body: html`<div class="console stack">
<nav class="small" aria-label="${words.title}"><a href="/console">${icon('back')}${words.title}</a></nav>
<h1>${words.seller.title}</h1>
<div id="organizations" class="stack"><p class="notice">${words.needsScript}</p></div>
</div>`,
  }
}

import { html } from '../html.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { WORDS } from '../words/index.ts'

/**
 * Leads the buyer to a page of the payment provider, with and without a script. A form of ours cannot be answered with a
 * redirect to another site: our content policy forbids that, so that no form can be made to send data elsewhere.
 */
export function leavingPage(language: Language, url: string): Page {
  const words = WORDS[language].buy
  return {
    title: words.leavingTitle,
    styles: ['shop'],
    frame: 'task',
    leadsTo: url,
    body: html`<section class="narrow">
<h1>${words.leavingTitle}</h1>
<p class="lead">${words.leavingLead}</p>
<p><a class="button main wide" href="${url}" rel="noreferrer">${words.toPayment}</a></p>
</section>`,
  }
}

import { type Html, html } from '../html.ts'
import { icon } from '../icons.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { formatMoney } from '../views/money.ts'
import { WORDS } from '../words/index.ts'

export interface BankFacts {
  readonly amount: number
  readonly currency: string
  /** `open`: the buyer still has to say yes or no. `over`: the payment is no longer open. */
  readonly stand: 'open' | 'approved' | 'declined' | 'over'
  /** Where the buyer came from. */
  readonly returnUrl: string
}

/** The sandbox's bank asks its customer. A plain form: a real one needs no script of ours either. */
export function bankPage(language: Language, { amount, currency, stand, returnUrl }: BankFacts): Page {
  const words = WORDS[language].buy
  const isOpen = stand === 'open'
  const title = {
    open: words.bankTitle,
    approved: words.bankApproved,
    declined: words.bankDeclined,
    over: words.bankOver,
  }[stand]
  return {
    title,
    styles: ['shop'],
    frame: 'task',
    banner: html`<p class="banner"><span>${words.bankName}</span></p>`,
    body: html`<section class="narrow sheet bank">
<p class="label">${words.bankName}</p>
<h1>${title}</h1>
<p class="kept"><span class="number">${formatMoney(language, amount, currency)}</span></p>
<p class="quiet">${words.bankLead}</p>
${isOpen ? decision(words) : html`<p><a class="button main" href="${returnUrl}">${icon('back')}${words.bankBack}</a></p>`}
</section>`,
  }
}

function decision(words: (typeof WORDS)[Language]['buy']): Html {
  return html`<form method="post" class="actions">
<button class="main" name="decision" value="approve">${icon('check')}${words.bankApprove}</button>
<button name="decision" value="decline">${icon('close')}${words.bankDecline}</button>
</form>`
}

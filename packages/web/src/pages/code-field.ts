import { type Html, html, trustedHtml } from '../html.ts'
import type { Language } from '../language.ts'
import { formatMoney } from '../views/money.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'

/** The code that a visitor has applied, and what it does; `priority` for one that counts when they join the line. */
export type AppliedCode =
  | { readonly kind: 'priority' }
  | {
      readonly kind: 'event'
      readonly text: string
      readonly percent: number | null
      readonly amountOff: number | null
      readonly price: number | null
      readonly access: boolean
      readonly currency: string
    }

/** How the last code that was sent ended. */
export const CODE_VERDICTS = ['kept', 'unknown', 'usedUp', 'limited', 'notApplicable', 'tooLate'] as const
export type CodeVerdict = (typeof CODE_VERDICTS)[number]

export interface CodeFieldFacts {
  /** Where the form is sent, and the page that the visitor returns to. */
  readonly action: string
  readonly next: string
  readonly applied: AppliedCode | null
  readonly verdict: CodeVerdict | null
  /** The visitor has a place in the line. */
  readonly isInLine?: boolean
}

/** One field for codes of every kind: a plain form, folded away until it is needed. */
export function codeField(language: Language, facts: CodeFieldFacts): Html {
  const words = WORDS[language].code
  const { action, next, applied, verdict } = facts
  const isKept = verdict === null || verdict === 'kept'
  const isOpen = applied !== null || verdict !== null
  return html`<details class="code-field"${isOpen ? trustedHtml(' open') : null}><summary>${words.ask}</summary>
${verdict === null || (isKept && applied !== null) ? null : html`<p class="notice${isKept ? '' : ' bad'}" role="${isKept ? 'status' : 'alert'}">${words[verdict]}</p>`}
${applied === null ? null : html`<p class="notice" role="status">${describeApplied(language, applied, facts.isInLine === true)}</p>`}
<form method="post" action="${action}" class="stack">
<input type="hidden" name="next" value="${next}">
<label class="field">${words.label}<input name="code" type="text" maxlength="300" required autocomplete="off" autocapitalize="characters" spellcheck="false"></label>
<button>${words.apply}</button>
</form>
${applied === null ? null : html`<form method="post" action="${action}"><input type="hidden" name="next" value="${next}"><input type="hidden" name="code" value=""><button class="plain">${words.remove}</button></form>`}
</details>`
}

function describeApplied(language: Language, applied: AppliedCode, isInLine: boolean): string {
  const words = WORDS[language].code
  if (applied.kind === 'priority') return isInLine ? words.inLine : words.priority
  const { text: code, percent, amountOff, price, access, currency } = applied
  const money = (amount: number) => ({ code, amount: formatMoney(language, amount, currency) })
  const sentences = [
    ...(percent === null ? [] : [say(language, words.percent, { code, percent: String(percent) })]),
    ...(amountOff === null ? [] : [say(language, words.amountOff, money(amountOff))]),
    ...(price === null ? [] : [say(language, words.price, money(price))]),
  ]
  if (sentences.length > 0) sentences.push(words.atCheckout)
  if (access) sentences.push(say(language, words.access, { code }))
  return sentences.join(' · ')
}

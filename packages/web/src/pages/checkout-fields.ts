import type { Checkout, Question } from '@seatwise/domain'
import { type Html, html, trustedHtml } from '../html.ts'
import type { Language } from '../language.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'

/** What can be wrong with a field; the words have a sentence for each. */
export type FieldProblem = 'needed' | 'choiceNeeded' | 'emailNeeded' | 'termsNeeded' | 'termsChanged'

/** What the form shows: what is known, or what the buyer typed, and what is wrong with it. By the names of fields. */
export interface CheckoutForm {
  readonly values: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, FieldProblem>>
}

/** The names of the form's fields. The box for the terms sends the address that was shown. */
export const checkoutField = {
  email: 'email',
  terms: 'terms',
  marketing: 'marketing',
  nameOf: (seatId: string) => `name.${seatId}`,
  answerTo: (questionId: string, seatId: string | null) => `q.${questionId}${seatId === null ? '' : `.${seatId}`}`,
} as const

export interface AskedTicket {
  readonly seatId: string
  /** Its category and place. */
  readonly label: string
}

/** The fields for all that an organiser asks for: about the order first, then about each ticket, then the two boxes. */
export function checkoutFields(
  language: Language,
  checkout: Checkout,
  tickets: readonly AskedTicket[],
  form: CheckoutForm,
): Html {
  const words = WORDS[language].ask
  const ofOrder = checkout.questions.filter(({ per }) => per === 'order')
  const ofTicket = checkout.questions.filter(({ per }) => per === 'ticket')
  const isAskedEach = checkout.names || ofTicket.length > 0
  const parts = tickets.map(
    (
      { seatId, label },
      index,
    ) => html`<fieldset class="stack ticket"><legend>${say(language, words.ticket, { number: String(index + 1) })} · ${label}</legend>
${checkout.names ? textField(language, form, { name: checkoutField.nameOf(seatId), label: words.holder, isRequired: true, lengthMax: 100 }) : null}
${ofTicket.map((question) => questionField(language, form, question, seatId))}</fieldset>`,
  )
  return html`${ofOrder.map((question) => questionField(language, form, question, null))}${isAskedEach ? parts : null}${termsField(language, checkout, form)}${marketingField(language, checkout, form)}`
}

/** How many fields are wrong, above the form; read out first. */
export function checkoutProblems(language: Language, { problems }: CheckoutForm): Html | null {
  const count = Object.keys(problems).length
  if (count === 0) return null
  return html`<p class="notice bad" role="alert">${say(language, WORDS[language].ask.problems, { count })}</p>`
}

/** The sentence below a field that is wrong. */
export function fieldProblem(language: Language, { problems }: CheckoutForm, name: string): Html | null {
  const problem = problems[name]
  if (problem === undefined) return null
  return html`<p class="problem" id="${problemId(name)}">${WORDS[language].ask[problem]}</p>`
}

/** The attributes by which a field points to its problem. */
export function pointToProblem({ problems }: CheckoutForm, name: string, hint: string | null = null): Html {
  const isWrong = problems[name] !== undefined
  const ids = [...(isWrong ? [problemId(name)] : []), ...(hint === null ? [] : [hint])]
  return html`${isWrong ? trustedHtml('aria-invalid="true" ') : null}${ids.length === 0 ? null : html`aria-describedby="${ids.join(' ')}"`}`
}

const problemId = (name: string): string => `${name}-problem`

interface TextField {
  readonly name: string
  readonly label: string
  readonly isRequired: boolean
  readonly lengthMax: number
}

function textField(language: Language, form: CheckoutForm, { name, label, isRequired, lengthMax }: TextField): Html {
  return html`<label class="field">${labelOf(language, label, isRequired)}<input name="${name}" ${required(isRequired)} maxlength="${lengthMax}" value="${form.values[name] ?? ''}" ${pointToProblem(form, name)}></label>
${fieldProblem(language, form, name)}`
}

function questionField(language: Language, form: CheckoutForm, question: Question, seatId: string | null): Html {
  const { id, kind, label, choices, required: isRequired } = question
  const name = checkoutField.answerTo(id, seatId)
  if (kind === 'text') return textField(language, form, { name, label, isRequired, lengthMax: 500 })
  const options = choices.map(
    (choice) =>
      html`<option value="${choice}" ${form.values[name] === choice ? trustedHtml('selected') : null}>${choice}</option>`,
  )
  return html`<label class="field">${labelOf(language, label, isRequired)}<select name="${name}" ${required(isRequired)} ${pointToProblem(form, name)}><option value="">${WORDS[language].ask.choose}</option>${options}</select></label>
${fieldProblem(language, form, name)}`
}

function labelOf(language: Language, label: string, isRequired: boolean): Html {
  return isRequired
    ? html`${label}`
    : html`<span>${label} <span class="quiet">${WORDS[language].ask.optional}</span></span>`
}

const required = (isRequired: boolean): Html | null => (isRequired ? trustedHtml('required') : null)

function termsField(language: Language, { terms }: Checkout, form: CheckoutForm): Html | null {
  if (terms === null) return null
  const words = WORDS[language].ask
  const name = checkoutField.terms
  const isAccepted = form.values[name] === terms.url
  return html`<label class="tick"><input type="checkbox" name="${name}" value="${terms.url}" required ${isAccepted ? trustedHtml('checked') : null} ${pointToProblem(form, name)}> <span>${terms.label ?? words.accept}</span></label>
<p class="hint"><a href="${terms.url}" target="_blank" rel="noopener noreferrer">${say(language, words.readTerms, { site: new URL(terms.url).host })}</a></p>
${fieldProblem(language, form, name)}`
}

/** Never ticked by us, and never needed. */
function marketingField(language: Language, { marketing }: Checkout, form: CheckoutForm): Html | null {
  if (!marketing) return null
  const name = checkoutField.marketing
  const isGiven = form.values[name] === 'on'
  return html`<label class="tick"><input type="checkbox" name="${name}" value="on" ${isGiven ? trustedHtml('checked') : null}> <span>${WORDS[language].ask.marketing}</span></label>`
}

import { type AnswersBody, CHECKOUT_LIMITS, type Checkout, SeatwiseError } from '@seatwise/domain'
import type { BuyerAnswers } from '@seatwise/ledger'
import { type CheckoutForm, checkoutField, type FieldProblem } from '@seatwise/web'
import Type, { type Static } from 'typebox'
import { DetailsBody, KeyField, PurchaseBody } from '../../box-office/index.ts'
import { requireEmail } from '../../identity/index.ts'

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const QUESTION = `[A-Za-z0-9][A-Za-z0-9_-]{0,${CHECKOUT_LIMITS.questionIdLength - 1}}`

const payFields = Type.Object({
  key: KeyField,
  method: PurchaseBody.properties.paymentMethod,
  email: DetailsBody.properties.email,
  terms: DetailsBody.properties.termsUrl,
  marketing: Type.Optional(Type.Literal('on')),
})

/** What an event asks decides which further fields there are; their names say what they are about. */
export const PayForm = Type.Unsafe<Static<typeof payFields> & Record<string, string>>({
  ...payFields,
  additionalProperties: false,
  patternProperties: {
    [`^name\\.${UUID}$`]: { type: 'string', maxLength: CHECKOUT_LIMITS.holderNameLength },
    [`^q\\.${QUESTION}(?:\\.${UUID})?$`]: { type: 'string', maxLength: CHECKOUT_LIMITS.answerLength },
  },
})

export interface Asked {
  readonly checkout: Checkout
  readonly seatIds: readonly string[]
  readonly known: BuyerAnswers
  /** The buyer has to name an address, and has named none. */
  readonly isEmailNeeded: boolean
}

type Fields = Readonly<Record<string, string | undefined>>

/** What the sent form says, for `answerQuestions`; and what is wrong with it, field by field. Nothing is stored here. */
export function readCheckoutForm(
  fields: Fields,
  asked: Asked,
): { body: AnswersBody & { email?: string }; form: CheckoutForm } {
  const { checkout, seatIds, known } = asked
  const problems: Record<string, FieldProblem> = {}
  const email = fields[checkoutField.email]
  if (email === undefined ? asked.isEmailNeeded : !isEmail(email)) problems[checkoutField.email] = 'emailNeeded'

  const names = (checkout.names ? seatIds : []).flatMap((seatId) => {
    const field = checkoutField.nameOf(seatId)
    const name = readText(fields[field])
    if (name === '') problems[field] = 'needed'
    return name === '' ? [] : [{ seatId, name }]
  })
  const answers = checkout.questions.flatMap((question) => {
    const places = question.per === 'order' ? [null] : seatIds
    return places.map((seatId) => {
      const field = checkoutField.answerTo(question.id, seatId)
      const answer = readText(fields[field])
      const isChoice = question.kind === 'choice'
      if (answer === '' && question.required) problems[field] = isChoice ? 'choiceNeeded' : 'needed'
      if (answer !== '' && isChoice && !question.choices.includes(answer)) problems[field] = 'choiceNeeded'
      return { questionId: question.id, ...(seatId === null ? {} : { seatId }), answer }
    })
  })
  const accepted = readTerms(fields[checkoutField.terms], asked, problems)
  const body = {
    ...(email === undefined ? {} : { email }),
    ...(names.length === 0 ? {} : { names }),
    ...(answers.length === 0 ? {} : { answers }),
    ...(accepted === null ? {} : { acceptTerms: true as const, termsUrl: accepted }),
    ...saidOfMarketing(fields[checkoutField.marketing] === 'on', checkout, known),
  }
  const values = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? '']))
  return { body, form: { values, problems } }
}

/** What is known already, as the form shows it at first. */
export function formOfKnown({ answers, names, terms, marketing }: BuyerAnswers, email: string): CheckoutForm {
  const values = [
    [checkoutField.email, email],
    ...names.map(({ seatId, name }) => [checkoutField.nameOf(seatId), name]),
    ...answers.map(({ questionId, seatId, answer }) => [checkoutField.answerTo(questionId, seatId), answer]),
    ...(terms === null ? [] : [[checkoutField.terms, terms.url]]),
    ...(marketing.given ? [[checkoutField.marketing, 'on']] : []),
  ]
  return { values: Object.fromEntries(values) as Record<string, string>, problems: {} }
}

/** A consent that was never given needs no record that it was not. */
function saidOfMarketing(isGiven: boolean, checkout: Checkout, known: BuyerAnswers): { marketing?: boolean } {
  return checkout.marketing && isGiven !== known.marketing.given ? { marketing: isGiven } : {}
}

function readTerms(
  shown: string | undefined,
  { checkout }: Asked,
  problems: Record<string, FieldProblem>,
): string | null {
  const { terms } = checkout
  if (terms === null) return null
  if (shown === terms.url) return shown
  problems[checkoutField.terms] = shown === undefined ? 'termsNeeded' : 'termsChanged'
  return null
}

const readText = (value: string | undefined): string => (value ?? '').trim()

function isEmail(text: string): boolean {
  try {
    requireEmail(text)
    return true
  } catch (error) {
    if (error instanceof SeatwiseError) return false
    throw error
  }
}

import { badField, requireText } from '../event/event-fields.ts'
import { type CheckoutDraft, NO_CHECKOUT, type QuestionDraft, type Terms } from './checkout.ts'

export interface QuestionBody {
  id?: string
  kind: 'text' | 'choice'
  label: string
  choices?: string[]
  per: 'order' | 'ticket'
  required?: boolean
}

/** As it is sent: parts that are left out stay as they are. Its shape and its bounds are already validated. */
export interface CheckoutBody {
  names?: boolean
  questions?: QuestionBody[]
  terms?: { label?: string | null; url: string } | null
  marketing?: boolean
}

/** Throws BAD_REQUEST and names the wrong field. */
export function readCheckout(body: CheckoutBody, current: CheckoutDraft = NO_CHECKOUT): CheckoutDraft {
  return {
    names: body.names ?? current.names,
    questions: body.questions === undefined ? current.questions : readQuestions(body.questions, current.questions),
    terms: body.terms === undefined ? current.terms : readTerms(body.terms),
    marketing: body.marketing ?? current.marketing,
  }
}

/** A question that comes without its id keeps that of the question of the same label. */
function readQuestions(bodies: readonly QuestionBody[], known: readonly QuestionDraft[]): QuestionDraft[] {
  const labels = new Set<string>()
  const ids = new Set<string>()
  return bodies.map((body, index) => {
    const field = `checkout/questions/${index}`
    requireText(`${field}/label`, body.label)
    if (labels.has(body.label)) throw badField(`${field}/label`, 'must not be used by two questions')
    labels.add(body.label)
    const id = body.id ?? known.find(({ label }) => label === body.label)?.id ?? null
    if (id !== null && ids.has(id)) throw badField(`${field}/id`, 'must not be used by two questions')
    if (id !== null) ids.add(id)
    const choices = readChoices(body, `${field}/choices`)
    return { id, kind: body.kind, label: body.label, choices, per: body.per, required: body.required ?? false }
  })
}

function readChoices({ kind, choices = [] }: QuestionBody, field: string): string[] {
  if (kind === 'text') {
    if (choices.length > 0) throw badField(field, 'are only for a question of the kind choice')
    return []
  }
  if (choices.length < 2) throw badField(field, 'must be at least two')
  for (const [index, choice] of choices.entries()) requireText(`${field}/${index}`, choice)
  if (new Set(choices).size < choices.length) throw badField(field, 'must not have the same text twice')
  return choices
}

function readTerms(terms: CheckoutBody['terms']): Terms | null {
  if (terms == null) return null
  const field = 'checkout/terms'
  const label = terms.label ?? null
  if (label !== null) requireText(`${field}/label`, label)
  if (!isPublicAddress(terms.url)) throw badField(`${field}/url`, 'must be an address that begins with https://')
  return { label, url: terms.url }
}

/** Without a user name or a password: buyers have to see where a link leads. */
function isPublicAddress(text: string): boolean {
  if (!/^https:\/\/[^\s\p{Cc}]+$/u.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return protocol === 'https:' && username === '' && password === ''
}

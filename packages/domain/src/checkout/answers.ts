import { badField, requireText } from '../event/event-fields.ts'
import { CHECKOUT_LIMITS, type Checkout, type Question } from './checkout.ts'

/** What a buyer sends. Shapes and lengths are already validated. */
export interface AnswersBody {
  answers?: readonly { questionId: string; seatId?: string; answer: string }[]
  names?: readonly { seatId: string; name: string }[]
  acceptTerms?: true
  /** The address of the terms that the buyer saw; without it, the one that the event has now. */
  termsUrl?: string
  marketing?: boolean
}

/** An answer as it is stored, with its question as it was asked; null removes it. */
export type AnswersById = Readonly<Record<string, { readonly label: string; readonly answer: string } | null>>

/** What is stored of a buyer's answers: what they do not name stays. */
export interface GivenAnswers {
  readonly order: AnswersById
  readonly tickets: readonly { readonly seatId: string; readonly name: string | null; readonly answers: AnswersById }[]
  /** The address of the terms that were accepted; null when nothing is said about them. */
  readonly termsUrl: string | null
  /** Null when nothing is said about it. */
  readonly marketing: boolean | null
}

/** Throws BAD_REQUEST for what the event does not ask. A blank answer to a question that need not be answered removes it. */
export function readAnswers(checkout: Checkout, seatIds: readonly string[], body: AnswersBody): GivenAnswers {
  const seats = new Map(seatIds.map((id) => [id, { name: null as string | null, answers: {} as MutableAnswers }]))
  const order: MutableAnswers = {}
  for (const [index, given] of (body.answers ?? []).entries()) {
    const field = `answers/${index}`
    const question = checkout.questions.find(({ id }) => id === given.questionId)
    if (question === undefined) throw badField(`${field}/questionId`, 'is not a question of this event')
    const target =
      question.per === 'order' ? orderOnly(order, given.seatId, field) : seatOf(seats, given.seatId, field).answers
    target[question.id] = readAnswer(question, given.answer, `${field}/answer`)
  }
  for (const [index, { seatId, name }] of (body.names ?? []).entries()) {
    if (!checkout.names) throw badField('names', 'are not asked for by this event')
    seatOf(seats, seatId, `names/${index}`).name = readHolder(name, `names/${index}/name`)
  }
  const said = [...seats].filter(([, { name, answers }]) => name !== null || Object.keys(answers).length > 0)
  return {
    order,
    tickets: said.map(([seatId, ticket]) => ({ seatId, ...ticket })),
    termsUrl: readAcceptance(checkout, body),
    marketing: readConsent(checkout, body),
  }
}

type MutableAnswers = Record<string, { label: string; answer: string } | null>

function orderOnly(order: MutableAnswers, seatId: string | undefined, field: string): MutableAnswers {
  if (seatId !== undefined) throw badField(`${field}/seatId`, 'must be left out: the question is about the whole order')
  return order
}

function seatOf<Ticket>(seats: ReadonlyMap<string, Ticket>, seatId: string | undefined, field: string): Ticket {
  if (seatId === undefined) throw badField(`${field}/seatId`, 'is required: the question is about each ticket')
  const ticket = seats.get(seatId.toLowerCase())
  if (ticket === undefined) throw badField(`${field}/seatId`, 'is not a seat of this reservation')
  return ticket
}

function readAnswer(question: Question, text: string, field: string): MutableAnswers[string] {
  const { kind, label, choices, required } = question
  requireText(field, text, { mayBeBlank: true, lines: true })
  const answer = text.trim()
  if (answer === '') {
    if (required) throw badField(field, 'must not be blank')
    return null
  }
  if (kind === 'choice' && !choices.includes(text)) throw badField(field, 'must be one of the choices')
  return { label, answer: kind === 'choice' ? text : answer }
}

function readHolder(text: string, field: string): string {
  const name = requireText(field, text).trim()
  if (name.length > CHECKOUT_LIMITS.holderNameLength) {
    throw badField(field, `must not be longer than ${CHECKOUT_LIMITS.holderNameLength} characters`)
  }
  return name
}

function readAcceptance({ terms }: Checkout, { acceptTerms, termsUrl }: AnswersBody): string | null {
  if (acceptTerms === undefined) {
    if (termsUrl !== undefined) throw badField('termsUrl', 'needs acceptTerms')
    return null
  }
  if (terms === null) throw badField('acceptTerms', 'must be left out: this event has no terms to accept')
  if (termsUrl !== undefined && termsUrl !== terms.url)
    throw badField('termsUrl', 'is not the address of the terms any more')
  return terms.url
}

/** A consent can be withdrawn also when it is not offered any more. */
function readConsent(checkout: Checkout, { marketing }: AnswersBody): boolean | null {
  if (marketing === true && !checkout.marketing)
    throw badField('marketing', 'must be left out: this event does not ask')
  return marketing ?? null
}

/** What is known so far about an order. */
export interface KnownAnswers {
  readonly answers: readonly { readonly questionId: string; readonly seatId: string | null }[]
  readonly names: readonly { readonly seatId: string }[]
  readonly terms: { readonly url: string } | null
}

export interface MissingAnswer {
  readonly kind: 'answer' | 'name'
  /** Null for a name. */
  readonly questionId: string | null
  /** Null for a question about the whole order. */
  readonly seatId: string | null
  readonly label: string | null
}

/** The names and answers that are needed before paying and not known, in the order in which they are asked. */
export function findMissing(checkout: Checkout, seatIds: readonly string[], known: KnownAnswers): MissingAnswer[] {
  const named = new Set(known.names.map(({ seatId }) => seatId))
  const answered = new Set(known.answers.map(({ questionId, seatId }) => `${questionId} ${seatId}`))
  const names = checkout.names ? seatIds.filter((seatId) => !named.has(seatId)) : []
  const answers = checkout.questions
    .filter(({ required }) => required)
    .flatMap(({ id: questionId, label, per }) => {
      const places = per === 'order' ? [null] : seatIds
      const open = places.filter((seatId) => !answered.has(`${questionId} ${seatId}`))
      return open.map((seatId) => ({ kind: 'answer' as const, questionId, seatId, label }))
    })
  return [...names.map((seatId) => ({ kind: 'name' as const, questionId: null, seatId, label: null })), ...answers]
}

/** Terms that moved to another address have to be accepted again. */
export const lacksTerms = ({ terms }: Checkout, known: KnownAnswers): boolean =>
  terms !== null && known.terms?.url !== terms.url

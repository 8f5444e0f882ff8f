/** What an organiser asks buyers for before they pay. */
export interface Checkout {
  /** Each ticket needs the name of its holder. */
  readonly names: boolean
  /** In the organiser's order. */
  readonly questions: readonly Question[]
  /** To accept before paying; null for none. */
  readonly terms: Terms | null
  /** Buyers are offered to consent to marketing. */
  readonly marketing: boolean
}

export interface Question {
  /** Stays the same over edits, because answers are stored under it. */
  readonly id: string
  readonly kind: 'text' | 'choice'
  readonly label: string
  /** What a choice is made from; empty for text. */
  readonly choices: readonly string[]
  readonly per: 'order' | 'ticket'
  readonly required: boolean
}

export interface Terms {
  /** Null for the words of the pages. */
  readonly label: string | null
  /** Where they can be read; starts with `https://`. */
  readonly url: string
}

/** A question without an id is new. */
export interface QuestionDraft extends Omit<Question, 'id'> {
  readonly id: string | null
}

export interface CheckoutDraft extends Omit<Checkout, 'questions'> {
  readonly questions: readonly QuestionDraft[]
}

export const NO_CHECKOUT: Checkout = { names: false, questions: [], terms: null, marketing: false }

/** Values outside are refused. */
export const CHECKOUT_LIMITS = {
  questions: 10,
  questionIdLength: 64,
  labelLength: 200,
  choices: 20,
  choiceLength: 100,
  answerLength: 500,
  holderNameLength: 100,
  urlLength: 500,
} as const

/** What the ledger stores: only what is asked for, so that `{}` is an event that asks for nothing. */
export function storedCheckout({ names, questions, terms, marketing }: Checkout): Partial<Checkout> {
  return {
    ...(names ? { names } : {}),
    ...(questions.length > 0 ? { questions } : {}),
    ...(terms === null ? {} : { terms }),
    ...(marketing ? { marketing } : {}),
  }
}

/** The opposite of `storedCheckout`. */
export const fullCheckout = (stored: Partial<Checkout>): Checkout => ({ ...NO_CHECKOUT, ...stored })

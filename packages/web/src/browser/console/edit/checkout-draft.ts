import type { Checkout, CheckoutBody, Question } from '@seatwise/domain'

/** A question as the editor's fields hold it. */
export interface QuestionDraft extends Pick<Question, 'kind' | 'label' | 'per' | 'required'> {
  readonly key: string
  /** Null for a new one. */
  readonly id: string | null
  /** One on each line. */
  readonly choices: string
}

export interface CheckoutDraft {
  readonly names: boolean
  readonly marketing: boolean
  readonly termsUrl: string
  readonly termsLabel: string
  readonly questions: readonly QuestionDraft[]
}

export function draftOf(checkout: Checkout | undefined): CheckoutDraft {
  const { names = false, marketing = false, terms = null, questions = [] } = checkout ?? {}
  return {
    ...{ names, marketing, termsUrl: terms?.url ?? '', termsLabel: terms?.label ?? '' },
    questions: questions.map(({ id, kind, label, choices, per, required }) => ({
      ...{ key: id, id, kind, label, per, required },
      choices: choices.join('\n'),
    })),
  }
}

/** As the API takes it: the whole of it, so that what was removed is gone. */
export function writeCheckout({ names, marketing, termsUrl, termsLabel, questions }: CheckoutDraft): CheckoutBody {
  const label = termsLabel.trim()
  return {
    ...{ names, marketing },
    terms: termsUrl.trim() === '' ? null : { url: termsUrl.trim(), ...(label === '' ? {} : { label }) },
    questions: questions.map(({ id, kind, label: asked, choices, per, required }) => ({
      ...(id === null ? {} : { id }),
      ...{ kind, label: asked.trim(), per, required },
      ...(kind === 'choice' ? { choices: linesOf(choices) } : {}),
    })),
  }
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** A new question; its key differs from those of all others in the draft. */
export function addQuestion(draft: CheckoutDraft): CheckoutDraft {
  const taken = new Set(draft.questions.map(({ key }) => key))
  let number = draft.questions.length
  while (taken.has(`new-${number}`)) number += 1
  const question = { id: null, kind: 'text', label: '', per: 'order', required: false, choices: '' } as const
  return { ...draft, questions: [...draft.questions, { ...question, key: `new-${number}` }] }
}

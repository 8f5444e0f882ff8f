import { describe, expect, it } from 'vitest'
import {
  type Checkout,
  type CheckoutBody,
  findMissing,
  fullCheckout,
  lacksTerms,
  NO_CHECKOUT,
  readAnswers,
  readEventDraft,
  SeatwiseError,
  storedCheckout,
} from '../../src/index.ts'

const [FIRST, SECOND] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const
const SEATS = [FIRST, SECOND]
const NOTHING = { answers: [], names: [], terms: null }

const ASKING: Checkout = {
  names: true,
  questions: [
    { id: 'how', kind: 'text', label: 'How did you hear of us?', choices: [], per: 'order', required: false },
    { id: 'meal', kind: 'choice', label: 'Meal', choices: ['Fish', 'Soup'], per: 'ticket', required: true },
  ],
  terms: { label: null, url: 'https://example.com/terms' },
  marketing: true,
}

function fieldOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    if (error instanceof SeatwiseError) return error.details.field
    throw error
  }
  return 'not refused'
}

describe('what an event asks', () => {
  const draft = (checkout: CheckoutBody) =>
    readEventDraft({
      ...{ name: 'Show', salesStartAt: '2026-11-15T10:00:00Z', salesEndAt: '2026-11-16T10:00:00Z', totalSeats: 1 },
      checkout,
    })

  it('[E30] asks for nothing unless told, and stores only what it asks for', () => {
    expect(draft({}).checkout).toEqual(NO_CHECKOUT)
    expect(storedCheckout(NO_CHECKOUT)).toEqual({})
    expect(fullCheckout(storedCheckout(ASKING))).toEqual(ASKING)
  })

  it('[E30] names the field that is wrong', () => {
    const text = { kind: 'text', label: 'Why?', per: 'order' } as const
    const choice = { kind: 'choice', label: 'Which?', per: 'ticket' } as const
    for (const [checkout, field] of [
      [{ questions: [text, text] }, 'checkout/questions/1/label'],
      [
        {
          questions: [
            { ...text, id: 'a' },
            { ...choice, id: 'a', choices: ['x', 'y'] },
          ],
        },
        'checkout/questions/1/id',
      ],
      [{ questions: [{ ...text, label: '  ' }] }, 'checkout/questions/0/label'],
      [{ questions: [{ ...text, choices: ['x', 'y'] }] }, 'checkout/questions/0/choices'],
      [{ questions: [choice] }, 'checkout/questions/0/choices'],
      [{ questions: [{ ...choice, choices: ['x', 'x'] }] }, 'checkout/questions/0/choices'],
      [{ terms: { url: 'http://example.com' } }, 'checkout/terms/url'],
      [{ terms: { url: 'https://user:secret@example.com' } }, 'checkout/terms/url'],
      [{ terms: { url: 'javascript:alert(1)' } }, 'checkout/terms/url'],
      [{ terms: { url: 'https://example.com/a b' } }, 'checkout/terms/url'],
    ] as [CheckoutBody, string][]) {
      expect(fieldOf(() => draft(checkout))).toBe(`body/${field}`)
    }
  })
})

describe('answers', () => {
  it('[B200] belong to the order or to a ticket; a blank one removes an optional answer', () => {
    const answers = [
      { questionId: 'how', answer: '  A friend ' },
      { questionId: 'meal', seatId: FIRST.toUpperCase(), answer: 'Soup' },
    ]
    expect(readAnswers(ASKING, SEATS, { answers, names: [{ seatId: SECOND, name: ' Mai ' }] })).toEqual({
      order: { how: { label: 'How did you hear of us?', answer: 'A friend' } },
      tickets: [
        { seatId: FIRST, name: null, answers: { meal: { label: 'Meal', answer: 'Soup' } } },
        { seatId: SECOND, name: 'Mai', answers: {} },
      ],
      ...{ termsUrl: null, marketing: null },
    })
    expect(readAnswers(ASKING, SEATS, { answers: [{ questionId: 'how', answer: ' ' }] }).order).toEqual({ how: null })
  })

  it('[B200] to what the event does not ask are refused', () => {
    for (const [body, field] of [
      [{ answers: [{ questionId: 'age', answer: '7' }] }, 'answers/0/questionId'],
      [{ answers: [{ questionId: 'how', seatId: FIRST, answer: 'x' }] }, 'answers/0/seatId'],
      [{ answers: [{ questionId: 'meal', answer: 'Fish' }] }, 'answers/0/seatId'],
      [{ answers: [{ questionId: 'meal', seatId: '3'.repeat(36), answer: 'Fish' }] }, 'answers/0/seatId'],
      [{ answers: [{ questionId: 'meal', seatId: FIRST, answer: 'Beef' }] }, 'answers/0/answer'],
      [{ answers: [{ questionId: 'meal', seatId: FIRST, answer: '' }] }, 'answers/0/answer'],
      [{ names: [{ seatId: FIRST, name: 'A\u0007' }] }, 'names/0/name'],
      [{ termsUrl: 'https://example.com/terms' }, 'termsUrl'],
      [{ acceptTerms: true, termsUrl: 'https://example.com/old' }, 'termsUrl'],
    ] as [Parameters<typeof readAnswers>[2], string][]) {
      expect(fieldOf(() => readAnswers(ASKING, SEATS, body))).toBe(`body/${field}`)
    }
    const silent = (body: Parameters<typeof readAnswers>[2]) => fieldOf(() => readAnswers(NO_CHECKOUT, SEATS, body))
    expect(silent({ names: [{ seatId: FIRST, name: 'Mai' }] })).toBe('body/names')
    expect(silent({ acceptTerms: true })).toBe('body/acceptTerms')
    expect(silent({ marketing: true })).toBe('body/marketing')
    // Withdrawing is possible also when the organiser does not ask any more.
    expect(silent({ marketing: false })).toBe('not refused')
  })

  it('[B201] what is missing is listed: names first, then required answers of each place', () => {
    const known = { ...NOTHING, names: [{ seatId: FIRST }], answers: [{ questionId: 'meal', seatId: SECOND }] }
    expect(findMissing(ASKING, SEATS, known)).toEqual([
      { kind: 'name', questionId: null, seatId: SECOND, label: null },
      { kind: 'answer', questionId: 'meal', seatId: FIRST, label: 'Meal' },
    ])
    expect(findMissing(NO_CHECKOUT, SEATS, NOTHING)).toEqual([])
  })

  it('[B202] terms at another address were not accepted', () => {
    expect(lacksTerms(ASKING, NOTHING)).toBe(true)
    expect(lacksTerms(ASKING, { ...NOTHING, terms: { url: 'https://example.com/old' } })).toBe(true)
    expect(lacksTerms(ASKING, { ...NOTHING, terms: { url: 'https://example.com/terms' } })).toBe(false)
    expect(lacksTerms(NO_CHECKOUT, NOTHING)).toBe(false)
  })
})

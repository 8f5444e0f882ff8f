import { describe, expect, test } from 'vitest'
import { oneEffectPerOperation } from '../../src/checks/log/one-effect-per-operation.ts'
import { capturesEndOnce } from '../../src/checks/money/captures-end-once.ts'
import { noPurchaseWithoutCapture } from '../../src/checks/money/no-purchase-without-capture.ts'
import { unknownsResolved } from '../../src/checks/service/unknowns-resolved.ts'
import { checkRecords, formatReport, type PaymentStatus } from '../../src/index.ts'
import { answer, hold, ledger, outcome, sell } from '../history.ts'

const payment = (name: string, of: string, status: PaymentStatus, captured = 10, refunded = 0) =>
  ({ kind: 'payment', payment: name, hold: of, status, amount: 10, captured, refunded }) as const
const provider = (name: string, captured: number, refunded = 0) =>
  ({ kind: 'provider', payment: name, captured, refunded }) as const
const refund = (name: string, seats: readonly string[]) => ({ kind: 'refund', hold: name, seats }) as const

describe('I9', () => {
  const sold = [hold('a', ['1']), sell('a', ['1'])]

  test('[I9] holds when every capture is a purchase, a refund, or on its way', () => {
    const records = ledger([
      ...sold,
      hold('b', ['2']),
      sell('b', ['2']),
      refund('b', ['2']),
      payment('p', 'a', 'paid'),
      payment('q', 'a', 'refunded', 10, 10),
      payment('r', 'b', 'refunding'),
      payment('s', 'b', 'declined', 0),
      ...[provider('p', 10), provider('q', 10, 10), provider('r', 10, 10), provider('s', 0)],
    ])
    expect(outcome(capturesEndOnce, records)).toBe('held')
  })

  test('[I9] is violated by money that bought nothing, was kept, or came back in part', () => {
    const records = ledger([
      payment('p', 'a', 'paid'),
      payment('q', 'a', 'declined'),
      payment('r', 'a', 'refunded', 10, 4),
    ])
    expect(outcome(capturesEndOnce, records)).toEqual([
      'Payment p is paid, and nothing is sold for it',
      'Payment q is declined, and its money is kept',
      'Payment r was not refunded in full',
    ])
  })

  test('[I9] is violated by two payments for one hold, and by a purchase that was refunded', () => {
    const twice = ledger([...sold, payment('p', 'a', 'paid'), payment('q', 'a', 'paid')])
    expect(outcome(capturesEndOnce, twice)).toEqual(['a is paid for 2 times'])
    const both = ledger([...sold, payment('p', 'a', 'paid', 10, 10)])
    expect(outcome(capturesEndOnce, both)).toEqual(['Payment p is a purchase and was refunded'])
  })

  test('[B138] [I9] refunds by seat are booked to the cent, with fees that stay and money on its way', () => {
    const both = [hold('a', ['1', '2']), sell('a', ['1', '2'])]
    const back = { kind: 'refund', hold: 'a', seats: ['1'], payment: 'p', amount: 4, kept: 1 } as const
    const partly = (refunded: number, more: object = {}) => ({
      ...payment('p', 'a', 'partly_refunded', 10, refunded),
      ...{ kept: 1, ...more },
    })
    const judge = (...records: Parameters<typeof ledger>[0]) => outcome(capturesEndOnce, ledger([...both, ...records]))
    expect(judge(back, partly(4), provider('p', 10, 4))).toBe('held')
    expect(judge(back, partly(4, { pending: 5 }), provider('p', 10, 9))).toBe('held')
    expect(judge(back, partly(4), provider('p', 10, 5))).toEqual(['The provider keeps 5 for p; the ledger says 6'])
    expect(judge(back, partly(5))).toEqual(['The refunds of p are 4, and the payment says 5'])
    const rest = { ...back, seats: ['2'], amount: 5, kept: 0 } as const
    const all = { ...payment('p', 'a', 'refunded', 10, 9), kept: 1 }
    expect(judge(back, rest, all, provider('p', 10, 9))).toBe('held')
    expect(judge(back, rest, partly(9))).toEqual(['Payment p is refunded in part, and nothing is sold'])
    const priced = [hold('a', ['1', '2'], { amount: 10 }), sell('a', ['1', '2'])]
    expect(outcome(noPurchaseWithoutCapture, ledger([...priced, back, partly(4)]))).toBe('held')
    expect(outcome(noPurchaseWithoutCapture, ledger([...priced, partly(4)]))).toEqual([
      'a costs 10, and 6 was captured',
    ])
  })

  test("[I9] is violated when the provider's books disagree, or name an unknown payment", () => {
    const records = ledger([...sold, payment('p', 'a', 'paid'), provider('p', 10, 10), provider('x', 10)])
    expect(outcome(capturesEndOnce, records)).toEqual([
      'The provider keeps 0 for p; the ledger says 10',
      'The provider keeps 10 for x, which the ledger does not know',
    ])
  })

  test('[I9] is violated when the provider keeps money for what is declined or refunded', () => {
    const records = ledger([
      payment('p', 'a', 'declined', 0),
      payment('q', 'a', 'refunded', 10, 10),
      ...[provider('p', 10), provider('q', 10, 4)],
    ])
    expect(outcome(capturesEndOnce, records)).toEqual([
      'The provider keeps 10 for p; the ledger says 0',
      'The provider keeps 6 for q; the ledger says 0',
    ])
  })

  test('[I9] is vacuous when nothing was captured', () => {
    expect(outcome(capturesEndOnce, ledger([payment('p', 'a', 'declined', 0)]))).toBe('vacuous')
  })
})

describe('I10', () => {
  const sale = (amount: number) => [hold('a', ['1'], { amount }), sell('a', ['1'])]

  test('[I10] holds for what was captured in full, and for what is free', () => {
    const free = [hold('b', ['2'], { amount: 0 }), sell('b', ['2'])]
    const records = ledger([...sale(10), ...free, payment('p', 'a', 'paid'), provider('p', 10)])
    expect(outcome(noPurchaseWithoutCapture, records)).toBe('held')
  })

  test('[I10] is violated by seats that were not paid for, or that the provider has no money for', () => {
    const unpaid = ledger([...sale(10), payment('p', 'a', 'declined', 0)])
    expect(outcome(noPurchaseWithoutCapture, unpaid)).toEqual(['a costs 10, and 0 was captured'])
    const pretended = ledger([...sale(10), payment('p', 'a', 'paid'), provider('p', 0)])
    expect(outcome(noPurchaseWithoutCapture, pretended)).toEqual(['a costs 10; the provider captured 0'])
  })

  test('[I10] is vacuous when nothing is sold at the end', () => {
    expect(outcome(noPurchaseWithoutCapture, ledger([...sale(10), refund('a', ['1'])]))).toBe('vacuous')
  })
})

const operation = (actor: string, name: string, effect: string) =>
  ({ kind: 'operation', actor, operation: name, effect }) as const
const told = (effect: string | null, rest: object = {}) =>
  answer('reserve', { client: 'ada', operation: 'key', effect, ...rest })

describe('I11', () => {
  test('[I11] holds for one effect each, and the same answer to a repeated call', () => {
    const effects = ledger([operation('ada', 'key', 'r1'), operation('bob', 'key', 'r2')])
    expect(outcome(oneEffectPerOperation, [...effects, ...told('r1'), ...told('r1', { atMs: 9 })])).toBe('held')
  })

  test('[I11] is violated by two effects of one operation, and by one effect of two', () => {
    const two = ledger([operation('ada', 'key', 'r1'), operation('ada', 'key', 'r2')])
    expect(outcome(oneEffectPerOperation, two)).toEqual(['Operation ada/key had two effects'])
    const paidTwice = ledger([
      { ...payment('p', 'a', 'paid'), by: 'ada', operation: 'key' },
      { ...payment('q', 'a', 'paid'), by: 'ada', operation: 'key' },
    ])
    expect(outcome(oneEffectPerOperation, paidTwice)).toEqual(['Operation ada/key had two effects'])
    const shared = ledger([operation('ada', 'key', 'r1'), operation('ada', 'other', 'r1')])
    expect(outcome(oneEffectPerOperation, shared)).toEqual(['r1 was made by two operations'])
  })

  test('[I11] is violated by two answers', () => {
    const effects = ledger([operation('ada', 'key', 'r1')])
    expect(outcome(oneEffectPerOperation, [...effects, ...told('r1'), ...told('r2', { atMs: 9 })])).toEqual([
      'Operation key was answered in two ways',
    ])
  })

  test('[I11] is violated by two answers to two devices of one buyer, and not to two buyers', () => {
    const effects = ledger([operation('ada', 'key', 'r1')])
    const phone = told('r1', { client: 'phone', identity: 'ada' })
    const laptop = (identity: string) => told('r2', { client: 'laptop', identity, atMs: 9 })
    expect(outcome(oneEffectPerOperation, [...effects, ...phone, ...laptop('ada')])).toEqual([
      'Operation key was answered in two ways',
    ])
    expect(outcome(oneEffectPerOperation, [...effects, ...phone, ...laptop('bob')])).toBe('held')
  })

  test('[I11] is vacuous when nothing took effect', () => {
    expect(outcome(oneEffectPerOperation, told(null))).toBe('vacuous')
  })
})

describe('I12', () => {
  const lost = answer('reserve', { client: 'ada', operation: 'key', phase: 'info' })

  test('[I12] holds when asking finds the effect, or that there is none', () => {
    const effects = ledger([operation('ada', 'key', 'r1')])
    expect(outcome(unknownsResolved, [...effects, ...lost, ...told('r1', { atMs: 9 })])).toBe('held')
    expect(outcome(unknownsResolved, [...lost, ...told(null, { atMs: 9 })])).toBe('held')
  })

  test('[I12] is violated by an unknown that stays one, and by a wrong answer', () => {
    expect(outcome(unknownsResolved, lost)).toEqual(['The outcome of key was never found out'])
    const effects = ledger([operation('ada', 'key', 'r1')])
    expect(outcome(unknownsResolved, [...effects, ...lost, ...told(null, { atMs: 9 })])).toEqual([
      'ada was told null, and r1 did',
    ])
    expect(outcome(unknownsResolved, [...lost, ...told('r1', { atMs: 9 })])).toEqual([
      'ada was told r1, and nothing took effect',
    ])
  })

  test('[I12] is vacuous when every call was answered, and needs clients to be judged at all', async () => {
    expect(outcome(unknownsResolved, told('r1'))).toBe('vacuous')
    const report = await checkRecords(ledger([operation('ada', 'key', 'r1')]), [unknownsResolved])
    expect(formatReport(report)).toContain('needs client records')
  })
})

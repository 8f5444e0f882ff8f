import type { Defect } from '../defect.ts'

/** What the checker accepts. */
export const PROOF: readonly Defect[] = [
  {
    name: 'checker-partial-refund',
    breaks: 'The checker accepts a refund in part.',
    rule: 'I9',
    file: 'packages/checker/src/checks/money/captures-end-once.ts',
    edits: [{ from: 'if (refunded + kept !== captured)', to: 'if (refunded === 0)' }],
    caughtBy: [
      {
        file: 'packages/checker/test/checks/money-checks.test.ts',
        title: '[I9] is violated by money that bought nothing, was kept, or came back',
      },
    ],
  },
  {
    name: 'checker-floor-off-by-one',
    breaks: 'The checker accepts one visitor too many on the floor.',
    rule: 'I13',
    file: 'packages/checker/src/checks/visits/floor-within-capacity.ts',
    edits: [{ from: 'room.floor.size > capacity', to: 'room.floor.size > capacity + 1' }],
    caughtBy: [
      { file: 'packages/checker/test/checks/admission-checks.test.ts', title: '[I13] is violated by one too many' },
    ],
  },
  {
    name: 'checker-seat-by-name-only',
    breaks: 'The checker does not notice a seat sold to two reservations.',
    rule: 'I1',
    file: 'packages/checker/src/checks/seats/no-seat-sold-twice.ts',
    edits: [
      { from: 'if (earlier !== undefined) findings', to: 'if (earlier !== undefined && earlier === record) findings' },
    ],
    caughtBy: [
      {
        file: 'packages/checker/test/checks/seat-checks.test.ts',
        title: '[I1] is violated by two sales of one seat, and shows both',
      },
    ],
  },
  {
    name: 'checker-rate-forgiven',
    breaks: 'The checker accepts one admission too many in every interval.',
    rule: 'I14',
    file: 'packages/checker/src/checks/visits/rate-kept.ts',
    edits: [{ from: 'if (left < 0) {', to: 'if (left < -1) {' }],
    caughtBy: [
      {
        file: 'packages/checker/test/checks/admission-checks.test.ts',
        title: '[I14] is violated by a millisecond, in an interval in the middle',
      },
    ],
  },
  {
    name: 'checker-provider-books-forgotten',
    breaks: 'The checker does not compare declined and refunded payments with the books of the provider.',
    rule: 'I9',
    file: 'packages/checker/src/checks/money/captures-end-once.ts',
    edits: [
      {
        from: "payment.status === 'processing' || payment.status === 'refunding' || payment.status === 'stuck'",
        to: "payment.status !== 'paid'",
      },
    ],
    caughtBy: [
      {
        file: 'packages/checker/test/checks/money-checks.test.ts',
        title: '[I9] is violated when the provider keeps money',
      },
    ],
  },
  {
    name: 'checker-answers-of-one-client',
    breaks: 'The checker accepts different answers to one key from two devices of one buyer.',
    rule: 'I11',
    file: 'packages/checker/src/checks/log/one-effect-per-operation.ts',
    edits: [
      {
        from: 'else if (before.effect === record.effect) findings',
        to: 'else if (before.effect === record.effect || before.client !== record.client) findings',
      },
    ],
    caughtBy: [
      {
        file: 'packages/checker/test/checks/money-checks.test.ts',
        title: '[I11] is violated by two answers to two devices',
      },
    ],
  },
]

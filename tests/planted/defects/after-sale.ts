import type { Defect } from '../defect.ts'

const REFUNDS = 'packages/server/test/box-office/payments/refunds.test.ts'

/** In refunds that buyers make themselves, and in events of which only hidden seats are left. */
export const AFTER_SALE: readonly Defect[] = [
  {
    name: 'buyer-refunds-transferred-ticket',
    breaks:
      'A buyer gets the money back for an e-ticket that they sold on, and its new holder is turned away at the door.',
    rule: 'B147',
    file: 'packages/ledger/src/payments/refunding/start-refund.ts',
    edits: [{ from: 'terms === null || !isTransferred', to: 'terms === null || isTransferred !== null' }],
    caughtBy: [{ file: REFUNDS, title: '[B147] a buyer cannot refund' }],
  },
  {
    name: 'refund-fee-forgotten',
    breaks: 'The organiser pays back the fee for refunds that the buyer was told about.',
    rule: 'B146',
    file: 'packages/ledger/src/payments/refunding/start-refund.ts',
    edits: [{ from: 'fee: terms?.fee ?? null', to: 'fee: null' }],
    caughtBy: [{ file: REFUNDS, title: '[B146] [B148] until the time' }],
  },
  {
    name: 'refund-amount-unchecked',
    breaks: 'A buyer who confirmed one amount gets another, because the terms changed meanwhile.',
    rule: 'B148',
    file: 'packages/ledger/src/payments/refunding/start-refund.ts',
    edits: [{ from: '(wish.amount ?? plan.amount) !== plan.amount', to: '(wish.amount ?? 0) < 0' }],
    caughtBy: [{ file: REFUNDS, title: '[B146] [B148] until the time' }],
  },
  {
    name: 'line-to-hidden-seats',
    breaks: 'Visitors without a code stand in line for seats that they cannot buy.',
    rule: 'E45',
    file: 'packages/server/src/rooms/routes/join-line.ts',
    edits: [{ from: 'settings.keepLineWhenSoldOut ||', to: 'row.hidesSeats ||' }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/codes/only-hidden.test.ts',
        title: '[E45] visitors without an access code are refused',
      },
    ],
  },
]

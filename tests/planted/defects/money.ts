import type { Defect } from '../defect.ts'

/** Who is charged, how much, and what comes back. */
export const MONEY: readonly Defect[] = [
  {
    name: 'second-extension',
    breaks: 'A buyer extends the hold again with every declined card and keeps the seats for ever.',
    rule: 'B18',
    file: 'packages/ledger/src/payments/starting/extend-hold.ts',
    edits: [{ from: 'return isExtended || until <= expiresAt', to: 'return until <= expiresAt' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/payments/pay.test.ts',
        title: '[B18] gives the hold more time once, within a cap, and its seats with it',
      },
    ],
  },
  {
    name: 'no-cap-on-extension',
    breaks: 'Starting a payment extends the hold beyond the longest time a hold may live.',
    rule: 'B18',
    file: 'packages/ledger/src/payments/starting/extend-hold.ts',
    edits: [{ from: 'new Date(Math.min(enough, cap))', to: 'new Date(Math.max(enough, cap))' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/payments/pay.test.ts',
        title: '[B18] gives the hold more time once, within a cap, and its seats with it',
      },
    ],
  },
  {
    name: 'pays-for-anothers-hold',
    breaks: 'A payment in a batch is started for a reservation of another buyer.',
    rule: 'B25',
    file: 'packages/ledger/src/payments/starting/start-together.ts',
    edits: [{ from: ' && reservation.buyerId === buyerId', to: '' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/payments/pay-together.test.ts',
        title: '[B25] [B28] leaves every other payment to be judged alone, and changes',
      },
    ],
  },
  {
    name: 'expired-hold-paid-together',
    breaks: 'A payment in a batch is started for an expired reservation.',
    rule: 'B28',
    file: 'packages/ledger/src/payments/starting/start-together.ts',
    edits: [{ from: ' && reservation.expiresAt > at', to: '' }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/payments.test.ts',
        title: '[B28] other buyers’, unknown, expired, canceled and paid reservations',
      },
    ],
  },
  {
    name: 'cancel-while-stuck',
    breaks: 'A buyer cancels a reservation while a stuck payment may still capture money for it.',
    rule: 'B28',
    file: 'packages/ledger/src/reservations/ending/find-cancelable.sql',
    edits: [{ from: "'PARTLY_REFUNDED', 'STUCK')", to: "'PARTLY_REFUNDED')" }],
    caughtBy: [
      {
        file: 'packages/ledger/test/payments/pay-together.test.ts',
        title: '[B28] [B33] nothing else pays for, ends or replaces',
      },
    ],
  },
  {
    name: 'overpayment-sells',
    breaks: 'A captured amount above the price is booked as a sale instead of being put before an operator.',
    rule: 'B33',
    file: 'packages/ledger/src/payments/concluding/confirm-payment.ts',
    edits: [{ from: 'if (captured !== purchase.amount) {', to: 'if (captured < purchase.amount) {' }],
    caughtBy: [{ file: 'packages/ledger/test/payments/pay.test.ts', title: '[B33] more than was asked for is stuck' }],
  },
  {
    name: 'refund-books-the-price',
    breaks: 'A refund books the price instead of the money that was captured.',
    rule: 'B33',
    file: 'packages/ledger/src/payments/refunding/start-refund.ts',
    edits: [{ from: 'amount: purchase.captured', to: 'amount: purchase.amount' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/payments/pay.test.ts',
        title: '[B33] another amount than was asked for is stuck, and can be sent back',
      },
    ],
  },
  {
    name: 'second-refund-frees-seats',
    breaks: 'Sending back money that was paid twice also ends the reservation that the first payment bought.',
    rule: 'B28',
    file: 'packages/ledger/src/payments/refunding/finish-refund.ts',
    edits: [
      {
        from: "if (isSale && status === 'REFUNDED')",
        to: "if (status === 'REFUNDED')",
      },
    ],
    caughtBy: [
      {
        file: 'packages/ledger/test/payments/pay.test.ts',
        title: '[B28] money for a reservation that was paid otherwise goes back and',
      },
    ],
  },
  {
    name: 'late-money-over-limit',
    breaks: 'Late money sells seats to a buyer who already holds as many as one buyer may have.',
    rule: 'B6',
    file: 'packages/ledger/src/payments/concluding/count-owned.sql',
    edits: [
      {
        from: "(status = 'PAID' or (status = 'PENDING_PAYMENT' and expires_at > $3::timestamptz))",
        to: "(status = 'PAID' and $3::timestamptz is not null)",
      },
    ],
    caughtBy: [
      {
        file: 'packages/ledger/test/payments/late-money.test.ts',
        title: '[B6, B31] goes back when its buyer holds others',
      },
    ],
  },
  {
    name: 'swap-forgets-the-type',
    breaks: 'Late money for two seat types swaps a seat for one of the other type.',
    rule: 'B31',
    file: 'packages/ledger/src/payments/concluding/sell-seats.ts',
    edits: [{ from: 'seat.seatTypeId === seatTypeId', to: 'seat.seatTypeId !== "" && seatTypeId !== ""' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/mixed-types.test.ts',
        title: '[B31] late money gets seats of the types',
      },
    ],
  },
  {
    name: 'stripe-isk-back',
    breaks: 'Stripe reports hundredths of a króna and they are booked as whole ones.',
    rule: 'B28',
    file: 'packages/server/src/box-office/payments/stripe/stripe-state.ts',
    edits: [{ from: '? amount / 100 : amount', to: '? amount : amount' }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/stripe.test.ts',
        title: '[B73] counts currencies without a minor unit as Stripe does',
      },
    ],
  },
  {
    name: 'watch-forgets-refunds',
    breaks: 'A refund that was begun by a server that died is never finished.',
    rule: 'B33',
    file: 'packages/ledger/src/payments/refunding/take-pending.sql',
    edits: [{ from: "state = 'PENDING'", to: "state = 'DONE'" }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/stuck.test.ts',
        title: '[B33] to a refund: the money is on its way until it answers',
      },
    ],
  },
  {
    name: 'amount-of-first-seat',
    breaks: 'A reservation of seats with different prices costs as if all had the price of the first.',
    rule: 'B1',
    file: 'packages/ledger/src/reservations/claims/price-seats.ts',
    edits: [{ from: 'const { price } = variant ?? type\n', to: 'const { price } = variant ?? types[0] ?? type\n' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/mixed-types.test.ts',
        title: '[B1] each seat costs what its type costs',
      },
    ],
  },
  {
    name: 'stripe-refund-one-key',
    breaks: 'A refund that Stripe lost is never asked for again, because each request has the same key.',
    rule: 'B34',
    file: 'packages/server/src/box-office/payments/stripe/stripe-refund.ts',
    edits: [{ from: 'ours.length', to: '0' }],
    caughtBy: [
      { file: 'packages/server/test/box-office/payments/stripe.test.ts', title: '[B34] gives everything back once' },
    ],
  },
  {
    name: 'stripe-counts-lost-refunds',
    breaks: 'A refund that failed at Stripe counts as money sent back.',
    rule: 'B34',
    file: 'packages/server/src/box-office/payments/stripe/stripe-refund.ts',
    edits: [{ from: 'refunds.filter((refund) => !isLost(refund)).reduce', to: 'refunds.reduce' }],
    caughtBy: [
      { file: 'packages/server/test/box-office/payments/stripe.test.ts', title: '[B34] gives everything back once' },
    ],
  },
  {
    name: 'stripe-refund-under-way-is-back',
    breaks: 'A refund that Stripe has not finished is booked as finished.',
    rule: 'B34',
    file: 'packages/server/src/box-office/payments/stripe/stripe-refund.ts',
    edits: [{ from: "refund.status === 'succeeded' ? 'refunded' : 'pending'", to: "'refunded'" }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/stripe.test.ts',
        title: '[B34] gives everything back once, and knows what is on its way',
      },
    ],
  },
  {
    name: 'stripe-webhook-unverified',
    breaks: 'An attacker can send a Stripe webhook: its signature is not verified.',
    rule: 'B32',
    file: 'packages/server/src/box-office/payments/stripe/stripe-provider.ts',
    edits: [
      {
        from: 'stripe.webhooks.constructEvent(body, header, webhookSecret)',
        to: 'JSON.parse(body.toString()) as Stripe.Event',
      },
    ],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/stripe.test.ts',
        title: '[B32] believes webhooks that Stripe signed just now',
      },
    ],
  },
  {
    name: 'stripe-refusal-is-decline',
    breaks: 'A payment is declined because Stripe refused to close its page, although the buyer had paid there.',
    rule: 'B33',
    file: 'packages/server/src/box-office/payments/stripe/stripe-provider.ts',
    edits: [{ from: 'return await status(ref)', to: "return { status: 'declined', reason: 'refused' }" }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/stripe.test.ts',
        title: '[B33] a page that cannot be closed any more decides nothing',
      },
    ],
  },
  {
    name: 'sandbox-signature-from-future',
    breaks: 'A webhook of the sandbox that was signed for next year is accepted today.',
    rule: 'B32',
    file: 'packages/server/src/box-office/payments/sandbox/sandbox-signature.ts',
    edits: [{ from: 'Math.abs(now() / 1_000 - Number(seconds))', to: 'now() / 1_000 - Number(seconds)' }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/webhooks.test.ts',
        title: '[B32] a webhook replayed much later',
      },
    ],
  },
  {
    name: 'sandbox-signature-without-time',
    breaks: 'A recorded webhook of the sandbox can be sent again with a new time.',
    rule: 'B32',
    file: 'packages/server/src/box-office/payments/sandbox/sandbox-signature.ts',
    edits: [{ from: '{time}.`).update(body)', to: "{''}.`).update(body)" }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/webhooks.test.ts',
        title: '[B32] a webhook replayed much later',
      },
    ],
  },
  {
    name: 'refund-unanswered-counts',
    breaks: 'A refund is booked as finished although the provider did not answer.',
    rule: 'B33',
    file: 'packages/server/src/box-office/payments/refund-purchase.ts',
    edits: [{ from: "retrying later')\n    return false", to: "retrying later')\n    return true" }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/stuck.test.ts',
        title: '[B33] to a refund: the money is on its way',
      },
    ],
  },
]

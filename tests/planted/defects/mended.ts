import type { Defect } from '../defect.ts'

/** Defects that would undo what was mended after a review, each planted by the engineer who mended it. */
export const MENDED: readonly Defect[] = [
  {
    name: 'bad-claim-fails-its-batch',
    breaks: 'One claim that the database refuses for a reason we do not list fails all claims of its batch.',
    rule: 'I33',
    file: 'packages/ledger/src/engine/is-about-the-work.ts',
    edits: [
      {
        from: "return !isLedgerAway(error) || ('code' in error && CONFLICT.test(String(error.code)))",
        to: "return 'code' in error && (CONFLICT.test(String(error.code)) || (/^2[23]/.test(String(error.code)) && !isLedgerAway(error)))",
      },
    ],
    caughtBy: [
      { file: 'packages/ledger/test/reservations/claims/claim-batches.test.ts', title: '[B58][I33] a claim with' },
    ],
  },
  {
    name: 'loser-refused-from-memory',
    breaks:
      'A buyer who reserved through one server is refused by another with the same key, because the seats are taken.',
    rule: 'B60',
    file: 'packages/server/src/box-office/reservations/reserve-seats.ts',
    edits: [{ from: 'if (await parts.losers.mayHaveSucceeded(', to: 'if (!parts.losers.mayHaveSucceeded(' }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/reservations/three-servers.test.ts',
        title: '[B60][I32] a key that succeeded at',
      },
    ],
  },
  {
    name: 'given-up-payment-begins',
    breaks: 'A payment begins after its buyer was told that it will not.',
    rule: 'B63',
    file: 'packages/server/src/box-office/payments/turn-to-begin.ts',
    edits: [{ from: "this.#now() <= this.#untilMs ? 'begun' : 'given up'", to: "'begun'" }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/patience.test.ts',
        title: '[B48][B63] buyers who waited too long to begin',
      },
    ],
  },
  {
    name: 'stuck-money-canceled-by-operator',
    breaks: 'An operator cancels a stuck payment with captured money, and the buyer loses the money.',
    rule: 'B65',
    file: 'packages/server/src/box-office/payments/operator-routes.ts',
    edits: [{ from: "(status === 'STUCK' && purchase.captured === 0)", to: "status === 'STUCK'" }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/given-up.test.ts',
        title: '[B65] a STUCK purchase with captured money',
      },
    ],
  },
  {
    name: 'refund-of-used-eticket',
    breaks: 'The money of an e-ticket that let a visitor in is refunded.',
    rule: 'B61',
    file: 'packages/ledger/src/payments/refunding/start-refund.ts',
    edits: [{ from: 'used.length > 0 && wish.evenIfUsed', to: 'used.length < 0 && wish.evenIfUsed' }],
    caughtBy: [
      { file: 'packages/ledger/test/etickets/etickets.test.ts', title: '[B61] what was used is not refunded' },
    ],
  },
  {
    name: 'refund-key-free-while-under-way',
    breaks: 'The key of a refund under way can be used for another refund.',
    rule: 'B62',
    file: 'packages/server/src/box-office/payments/refund-routes.ts',
    edits: [{ from: '...(operation && { operation }), ', to: '' }],
    caughtBy: [
      { file: 'packages/server/test/box-office/payments/payments.test.ts', title: '[B62] a key belongs to its refund' },
    ],
  },
  {
    name: 'currency-of-each-seat-type',
    breaks: 'An edit gives some priced seat types another currency than the rest, and the sum of a cart means nothing.',
    rule: 'E19',
    file: 'packages/domain/src/event/event-edit.ts',
    edits: [{ from: 'if (highestPrice(before) > 0)\n', to: 'if (highestPrice(before) < 0)\n' }],
    caughtBy: [
      { file: 'packages/ledger/test/events/event-currency.test.ts', title: '[E19] an edit gives new seat types' },
    ],
  },
  {
    name: 'list-keeps-what-is-over',
    breaks: 'Events without a date stay in the list of events after their sale is over.',
    rule: 'E23',
    file: 'packages/ledger/src/events/list-events.sql',
    edits: [
      {
        from: "where starts_at is null and state = 'published' and over_at > now()",
        to: "where starts_at is null and state = 'published'",
      },
    ],
    caughtBy: [{ file: 'packages/ledger/test/events/events.test.ts', title: '[E8] [E23] the list has exactly' }],
  },
  {
    name: 'printed-ticket-in-utc',
    breaks: 'The printed e-ticket tells the visitor when the show begins in London, not at the venue.',
    rule: 'W38',
    file: 'packages/server/src/box-office/etickets/printable-page.ts',
    edits: [
      {
        from: 'formatInstant(new Date(event.startsAt), event.timeZone)',
        to: "formatInstant(new Date(event.startsAt), 'UTC')",
      },
    ],
    caughtBy: [{ file: 'packages/server/test/delivery/mail.test.ts', title: '[W38] [W23] a show at 19:30 in Hà Nội' }],
  },
  {
    name: 'formula-by-anything-but-equals',
    breaks: 'Only names that begin with an equals sign are kept from running as formulas in the table of an operator.',
    rule: 'W66',
    file: 'packages/server/src/kit/csv.ts',
    edits: [{ from: '[=+\\-@\\t\\r\\n]', to: '=' }],
    caughtBy: [{ file: 'packages/server/test/kit/csv.test.ts', title: '[W66] no cell of text begins' }],
  },
  {
    name: 'brand-not-remembered',
    breaks: 'The server that took a new brand goes on showing the old one.',
    rule: 'W39',
    file: 'packages/server/src/site/brands/routes.ts',
    edits: [{ from: '        reads.remember(room.id, written)\n', to: '' }],
    caughtBy: [{ file: 'packages/server/test/site/brands.test.ts', title: '[W39] a changed brand' }],
  },
]

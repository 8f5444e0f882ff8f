import type { Defect } from '../defect.ts'

/** Payments on a page of the provider. */
export const PAGES_OF_PROVIDERS: readonly Defect[] = [
  {
    name: 'retry-sends-another-order',
    breaks: 'A retry after a crash asks the provider for something else than the first attempt did.',
    rule: 'B70',
    file: 'packages/ledger/src/payments/ordering/keep-order.sql',
    edits: [{ from: 'coalesce(provider_order, $2::text::json)', to: '$2::text::json' }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/paying-on-a-page.test.ts',
        title: '[B70] a server dies before the reference is stored',
      },
    ],
  },
  {
    name: 'page-outlives-its-hold',
    breaks:
      'The page of a provider stays open for up to a minute after the hold has ended, and takes money for nothing.',
    rule: 'B71',
    file: 'packages/ledger/src/payments/undecided/take-undecided.sql',
    edits: [{ from: 'and reservations.expires_at <= clock_timestamp()', to: 'and reservations.expires_at is null' }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/paying-on-a-page.test.ts',
        title: '[B31] [B71] when the hold ends the page is closed',
      },
    ],
  },
  {
    name: 'mollie-cents-as-units',
    breaks: 'Mollie is asked for a hundred times the price, because minor units are written as whole ones.',
    rule: 'B73',
    file: 'packages/server/src/box-office/payments/mollie/mollie-amount.ts',
    edits: [
      { from: 'const decimals = decimalsOf(currency)\n  const digits', to: 'const decimals = 0\n  const digits' },
    ],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/mollie.test.ts',
        title: '[B73] a payment says what is bought',
      },
    ],
  },
]

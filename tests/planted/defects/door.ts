import type { Defect } from '../defect.ts'

/** Sales at the door. */
export const DOOR: readonly Defect[] = [
  {
    name: 'lua-door-takes-promised-seats',
    breaks: 'A seller at the door gets a seat that a visitor on the floor was promised.',
    rule: 'B166',
    file: 'packages/line/lua/take.lua',
    edits: [{ from: '(room.taken - cost_of(before, 0)) - room.promised', to: '(room.taken - cost_of(before, 0))' }],
    caughtBy: [
      { file: 'packages/line/test/redis/contract.test.ts', title: '[B166] a sale at the door leaves what visitors' },
    ],
  },
  {
    name: 'door-takes-promised-seats',
    breaks: 'The same, in a server that keeps its line in memory.',
    rule: 'B166',
    file: 'packages/line/src/memory/steps/take.ts',
    edits: [{ from: '(room.taken - costOf(before, 0)) - room.promised', to: '(room.taken - costOf(before, 0))' }],
    caughtBy: [
      { file: 'packages/line/test/memory/contract.test.ts', title: '[B166] a sale at the door leaves what visitors' },
    ],
  },
  {
    name: 'complimentary-with-fees',
    breaks: 'Complimentary seats cost the fees of the event.',
    rule: 'B169',
    file: 'packages/ledger/src/reservations/claims/price-seats.ts',
    edits: [{ from: 'const fees = isFree ? [] : first.fees', to: 'const fees = first.fees' }],
    caughtBy: [
      { file: 'packages/server/test/box-office/door/door-sales.test.ts', title: '[B169] it costs what the lines say' },
    ],
  },
  {
    name: 'payout-not-booked',
    breaks: 'Cash that was given back is missing in the cash-up.',
    rule: 'B170',
    file: 'packages/ledger/src/payments/refunding/finish-refund.ts',
    edits: [{ from: '  await bookPayout(transaction, { before, after: purchase, at })\n', to: '' }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/door/door-sales.test.ts',
        title: '[B170] [B171] [B178] booked, numbered',
      },
    ],
  },
]

/** How visitors come in before a line opens. */
export const consoleStart = {
  title: 'Before the line opens',
  lead: 'Visitors may come early and wait without a position. Pre-queue and draw can no longer change once the first visitor has joined.',
  preQueueAt: 'Visitors may come from (pre-queue; empty: not before)',
  opensAt: 'The line opens (empty: always open)',
  closesAt: 'The line closes (empty: never)',
  draw: 'Order of those who wait at the opening',
  drawNone: 'as they came',
  drawCommit: 'by a draw',
  drawDrand: 'by a draw with the public beacon (recommended)',
  save: 'Apply',
  announced: 'The draw is announced in the public log.',
  sealed: 'Sealed with {count} tickets. The order is being drawn.',
  revealed: 'The order is drawn: {count} tickets.',
  round: 'Round {round} of the public beacon counts.',
  signature: 'Signature of that round, if this server cannot reach the beacon',
  bring: 'Use this signature',
} as const

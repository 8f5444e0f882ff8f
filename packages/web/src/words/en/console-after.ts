/** What organisers let buyers do after they paid. */
export const consoleAfter = {
  title: 'After the sale',
  hint: 'Buyers get their money back by themselves only until the time you set here; you can always refund them.',
  refundsUntil: 'Buyers may refund their seats until (empty: never)',
  transfersUntil: 'E-tickets may be transferred until (empty: until the event starts)',
  perTicket: 'Kept for each refunded seat',
  percent: 'Kept, in percent of the price',
  keepFees: 'Booking fees are kept, too',
  offerMinutes: 'Minutes for which returned seats are offered',
} as const

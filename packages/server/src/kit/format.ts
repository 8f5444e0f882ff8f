import { tellMomentNamed } from '@seatwise/web'

/** A time for people, by the clock at the venue. We do not know where they are, so it says which clock it means. */
export function formatInstant(instant: Date, timeZone: string): string {
  return tellMomentNamed('en-GB', instant.getTime(), timeZone, 'full')
}

/** Money comes in minor units; how many of them make one differs between currencies. */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

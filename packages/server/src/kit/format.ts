import { tellMomentNamed } from '@seatwise/web'

/** A time for people, in the venue's time zone. The reader's own zone is unknown, so the text names the zone. */
export function formatInstant(instant: Date, timeZone: string): string {
  return tellMomentNamed('en-GB', instant.getTime(), timeZone, 'full')
}

/** Amounts are in minor units; how many of them make one major unit depends on the currency. */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

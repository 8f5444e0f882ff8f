const INSTANT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })

/** A time for people. We do not know where they are, so it says which clock it means. */
export function formatInstant(instant: Date): string {
  return `${INSTANT.format(instant)} UTC`
}

/** Money comes in minor units; how many of them make one differs between currencies. */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

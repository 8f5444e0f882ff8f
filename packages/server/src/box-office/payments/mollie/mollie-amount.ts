/** Minor units as Mollie writes them: 9000 EUR is `90.00`, 9000 JPY is `9000`. */
export function mollieAmount(amount: number, currency: string): { currency: string; value: string } {
  const decimals = decimalsOf(currency)
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const value = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`
  return { currency, value: amount < 0 ? `-${value}` : value }
}

/** The same back, without floating point. Throws for anything else than what `mollieAmount` writes. */
export function ourAmount({ currency, value }: { currency: string; value: string }): number {
  const decimals = decimalsOf(currency)
  const [, whole = '', fraction = ''] = /^(-?\d{1,13})(?:\.(\d+))?$/.exec(value) ?? []
  if (whole === '' || fraction.length !== decimals) throw new Error(`Mollie sent the amount ${value} ${currency}`)
  return Number(`${whole}${fraction}`)
}

function decimalsOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}

import type { Language } from '../language.ts'

/** Minor units as people write them: 9000 EUR is €90.00 in English. */
export function formatMoney(language: Language, amount: number, currency: string): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

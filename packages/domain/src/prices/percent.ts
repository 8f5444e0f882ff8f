/*
 * Exact arithmetic with percentages of up to three decimals: 1 % is 1,000 thousandths. Amounts are integers in minor
 * units; products do not fit into 53 bits, so they are BigInt.
 */

const THOUSANDTHS = 1_000
const WHOLE = 100n * BigInt(THOUSANDTHS)

/** Whether a percentage has at most three decimals. */
export const isExactPercent = (percent: number): boolean =>
  Number.isFinite(percent) && Math.round(percent * THOUSANDTHS) / THOUSANDTHS === percent

export const toThousandths = (percent: number): number => Math.round(percent * THOUSANDTHS)

export const fromThousandths = (thousandths: number): number => thousandths / THOUSANDTHS

/** So many percent of an amount. */
export function percentOf(amount: number, percent: number): number {
  return divide(BigInt(amount) * BigInt(toThousandths(percent)), WHOLE)
}

/** The tax that an amount contains: `amount × rate / (100 + rate)`. */
export function taxIn(amount: number, taxRate: number): number {
  const rate = BigInt(toThousandths(taxRate))
  return divide(BigInt(amount) * rate, WHOLE + rate)
}

/** Rounded half away from zero. */
function divide(dividend: bigint, divisor: bigint): number {
  const isNegative = dividend < 0n
  const size = isNegative ? -dividend : dividend
  const rounded = Number((2n * size + divisor) / (2n * divisor))
  return isNegative && rounded !== 0 ? -rounded : rounded
}

import { percentOf } from './percent.ts'

/** Who gets the money of a payment, and what the house keeps of it, in minor units. */
export interface Payee {
  /** The seller's own account at the payment provider. */
  readonly account: string
  readonly fee: number
}

/** The house's part of a payment to a seller's own account: so many percent of the whole amount, rounded once. */
export function payeeOf(account: string, amount: number, feePercent: number): Payee {
  return { account, fee: percentOf(amount, feePercent) }
}

import type Stripe from 'stripe'

/** What is in an account at Stripe, moved by moved amounts only: nothing is ever computed from anything else. */
class Balance {
  amount = 0
}

interface Charge {
  readonly account: Balance
  readonly amount: number
  readonly fee: number
  /** What of the transfer and of the fee went back. */
  reversed: number
  feeRefunded: number
}

/** The balances of the platform and of the accounts that are connected to it, move by move. */
export class StripeAccounts {
  /** Those that a charge may name. */
  readonly connected = new Map<string, Balance>()
  readonly #platform = new Balance()
  readonly #charges = new Map<string, Charge>()

  connect(id: string): string {
    this.connected.set(id, new Balance())
    return id
  }

  get platform(): number {
    return this.#platform.amount
  }

  balanceOf(id: string): number {
    const balance = this.connected.get(id)
    if (balance === undefined) throw new Error(`There is no account ${id}`)
    return balance.amount
  }

  /** Everything is captured by the platform; a destination charge is transferred whole, and the fee comes back. */
  capture({ id, amount, transfer_data, application_fee_amount }: Stripe.PaymentIntent): void {
    this.#platform.amount += amount
    if (transfer_data == null) return
    const account = this.connected.get(String(transfer_data.destination))
    if (account === undefined) throw new Error('A session of an unknown account was opened')
    const fee = application_fee_amount ?? 0
    move(this.#platform, account, amount)
    move(account, this.#platform, fee)
    this.#charges.set(id, { account, amount, fee, reversed: 0, feeRefunded: 0 })
  }

  /** The reason why Stripe refuses a refund with these wishes; null when it takes it. */
  refusalOf(intentId: string, wish: { reverseTransfer: boolean; refundFee: boolean }): string | null {
    const charge = this.#charges.get(intentId)
    if (charge === undefined) return wish.reverseTransfer || wish.refundFee ? 'charge_has_no_transfer' : null
    return wish.refundFee && charge.fee === 0 ? 'charge_has_no_application_fee' : null
  }

  /** The platform pays; only on request the transfer and the fee are taken back, in proportion. */
  refund(intentId: string, amount: number, wish: { reverseTransfer: boolean; refundFee: boolean }): void {
    this.#platform.amount -= amount
    const charge = this.#charges.get(intentId)
    if (charge === undefined) return
    if (wish.reverseTransfer) {
      charge.reversed += amount
      move(charge.account, this.#platform, amount)
    }
    if (!wish.refundFee) return
    // The last part takes what is left, so that rounding loses nothing.
    const isLast = charge.reversed === charge.amount
    const share = isLast ? charge.fee - charge.feeRefunded : Math.floor((charge.fee * amount) / charge.amount)
    charge.feeRefunded += share
    move(this.#platform, charge.account, share)
  }
}

function move(from: Balance, to: Balance, amount: number): void {
  from.amount -= amount
  to.amount += amount
}

import { percentOf, taxIn } from './percent.ts'

/** One line of what an order costs, in minor units. Together the lines are the amount that is paid. */
export type PriceLine = SeatLine | ExtraLine

/** Equal seats at one price. */
export interface SeatLine {
  readonly kind: 'seat'
  readonly name: string
  readonly quantity: number
  readonly unitPrice: number
  readonly amount: number
  /** Contained in the amount. */
  readonly tax: number
}

export interface ExtraLine {
  readonly kind: 'discount' | 'fee'
  readonly name: string
  /** Below 0 for a discount. */
  readonly amount: number
  readonly tax: number
}

/** What an event adds to every order: `perTicket` for each seat, and `percent` of the seats after the discount. */
export interface Fee {
  readonly name: string
  readonly perTicket?: number
  readonly percent?: number
}

/** What a code takes off. `price` is what each seat costs with it; `amountOff` is taken off once for an order. */
export type Reduction = { readonly percent: number } | { readonly amountOff: number } | { readonly price: number }

export interface Discount {
  readonly name: string
  readonly reduction: Reduction
  /** The seat types it is for; null for all. */
  readonly seatTypeIds: readonly string[] | null
}

export interface SeatToPrice {
  readonly seatTypeId: string
  readonly variantId: string | null
  /** Of the seat type, with its variant. */
  readonly name: string
  readonly price: number
}

export interface PriceTerms {
  /** Percent that is contained in every price. */
  readonly taxRate: number
  readonly fees: readonly Fee[]
  readonly discount?: Discount | null
}

export interface PricedOrder {
  readonly lines: readonly PriceLine[]
  readonly tax: number
  readonly amount: number
  /** For each seat, in their order: its share of all lines, and how much of that are fees. */
  readonly shares: readonly SeatShare[]
}

export interface SeatShare {
  readonly paid: number
  readonly fees: number
}

/**
 * The only place that computes what an order costs. Every line is rounded once, half away from zero; lines of 0 are left
 * out. No seat's share is below 0, whatever is taken off. Rules B80 to B83.
 */
export function priceOrder(seats: readonly SeatToPrice[], terms: PriceTerms): PricedOrder {
  const { taxRate, fees } = terms
  const full = seats.reduce((sum, { price }) => sum + price, 0)
  const off = terms.discount ? priceDiscount(seats, terms.discount) : null
  const reduced = full - (off?.amount ?? 0)
  const charged = fees.map((fee) => ({ name: fee.name, amount: feeOf(fee, seats.length, reduced) }))
  const extras: { kind: ExtraLine['kind']; name: string; amount: number }[] = [
    ...(off === null ? [] : [{ kind: 'discount' as const, name: off.name, amount: -off.amount }]),
    ...charged.map((fee) => ({ kind: 'fee' as const, ...fee })),
  ]
  const lines: PriceLine[] = [
    ...seatLines(seats, taxRate),
    ...extras.map((line) => ({ ...line, tax: taxIn(line.amount, taxRate) })),
  ].filter(({ amount }) => amount !== 0)

  const prices = seats.map(({ price }) => price)
  const discounts = off === null ? prices.map(() => 0) : spread(off.amount, off.weights)
  const feeShares = charged.map(({ amount }) => spread(amount, prices))
  const shares = prices.map((price, index): SeatShare => {
    const part = feeShares.reduce((sum, parts) => sum + (parts[index] ?? 0), 0)
    return { paid: price - (discounts[index] ?? 0) + part, fees: part }
  })
  const sumOf = (key: 'amount' | 'tax') => lines.reduce((sum, line) => sum + line[key], 0)
  return { lines, tax: sumOf('tax'), amount: sumOf('amount'), shares }
}

/** One line for each seat type and variant, in the order in which they first appear. */
function seatLines(seats: readonly SeatToPrice[], taxRate: number): SeatLine[] {
  const equal = Map.groupBy(seats, ({ seatTypeId, variantId }) => `${seatTypeId} ${variantId}`)
  return [...equal.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { name, price: unitPrice } = first
    const amount = unitPrice * group.length
    return [{ kind: 'seat', name, quantity: group.length, unitPrice, amount, tax: taxIn(amount, taxRate) }]
  })
}

function feeOf({ perTicket = 0, percent = 0 }: Fee, seats: number, reduced: number): number {
  return perTicket * seats + percentOf(reduced, percent)
}

interface TakenOff {
  readonly name: string
  /** At most what the seats cost that it is for, and never below 0: a code never raises a price. */
  readonly amount: number
  /** The price of each seat that it is for, 0 for the others. */
  readonly weights: readonly number[]
}

function priceDiscount(seats: readonly SeatToPrice[], discount: Discount): TakenOff {
  const { name, reduction, seatTypeIds } = discount
  const weights = seats.map(({ seatTypeId, price }) =>
    seatTypeIds === null || seatTypeIds.includes(seatTypeId) ? price : 0,
  )
  const full = weights.reduce((sum, price) => sum + price, 0)
  const asked = reductionOf(reduction, weights, full)
  return { name, amount: Math.min(Math.max(asked, 0), full), weights }
}

function reductionOf(reduction: Reduction, weights: readonly number[], full: number): number {
  if ('percent' in reduction) return percentOf(full, reduction.percent)
  if ('amountOff' in reduction) return reduction.amountOff
  return weights.reduce((sum, price) => sum + Math.max(price - reduction.price, 0), 0)
}

/**
 * Splits an amount by weight. What is left over by rounding down goes one by one to the first seats that have a weight:
 * so nothing that is taken off brings a seat below 0. Without any weight all seats count alike.
 */
function spread(amount: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0)
    return weights.length === 0
      ? []
      : spread(
          amount,
          weights.map(() => 1),
        )
  const parts = weights.map((weight) => Number((BigInt(amount) * BigInt(weight)) / BigInt(total)))
  let left = amount - parts.reduce((sum, part) => sum + part, 0)
  return parts.map((part, index) => {
    if (left === 0 || weights[index] === 0) return part
    left -= 1
    return part + 1
  })
}

import type { Variant } from '@seatwise/domain'
import type { SeatTypeInfo } from './seat-model.ts'

/** How many of the chosen seats of a type have one of its prices. */
export interface Split {
  readonly variant: Variant
  readonly count: number
}

/** Seats have the first price of their type unless the visitor says otherwise; fewer seats give up the later prices first. */
export function splitOf(
  { variants }: Pick<SeatTypeInfo, 'variants'>,
  seats: number,
  reduced: ReadonlyMap<string, number>,
): Split[] {
  const [first, ...others] = variants
  if (first === undefined) return []
  let left = seats
  const rest = others.map((variant) => {
    const count = Math.min(left, reduced.get(variant.id) ?? 0)
    left -= count
    return { variant, count }
  })
  return [{ variant: first, count: left }, ...rest]
}

/** One seat more or fewer of a price that is not the first; the first has the others. */
export function stepSplit(
  split: readonly Split[],
  reduced: ReadonlyMap<string, number>,
  variantId: string,
  step: 1 | -1,
): ReadonlyMap<string, number> {
  const current = split.find(({ variant }) => variant.id === variantId)?.count ?? 0
  const isRoom = step < 0 ? current > 0 : (split[0]?.count ?? 0) > 0
  return isRoom ? new Map(reduced).set(variantId, current + step) : reduced
}

/** What so many seats of a type cost. */
export function sumOf({ price }: Pick<SeatTypeInfo, 'price'>, seats: number, split: readonly Split[]): number {
  if (split.length === 0) return seats * price
  return split.reduce((sum, { variant, count }) => sum + variant.price * count, 0)
}

/** As a reservation asks for it; nothing where no type has several prices. */
export function wishOf(split: readonly Split[]): { variantId: string; quantity: number }[] {
  return split
    .filter(({ count }) => count > 0)
    .map(({ variant, count }) => ({ variantId: variant.id, quantity: count }))
}

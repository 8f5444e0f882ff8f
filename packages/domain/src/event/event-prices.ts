import { isExactPercent } from '../prices/percent.ts'
import type { Fee } from '../prices/price-lines.ts'
import { EVENT_LIMITS, type VariantDraft } from './event.ts'
import { badField, requireText } from './event-fields.ts'

/*
 * Prices of an event from untrusted input: tax rate, fees and variants. Shapes are already validated; every function
 * throws BAD_REQUEST naming the field.
 */

export interface VariantBody {
  id?: string
  name: string
  price: number
}

export interface FeeBody {
  name: string
  perTicket?: number
  percent?: number
}

/** Percentages have at most three decimals: what a rate is must not depend on how a machine keeps fractions. */
export function requirePercent(field: string, percent: number): number {
  if (!isExactPercent(percent)) throw badField(field, 'must not have more than three decimals')
  if (percent < 0 || percent > EVENT_LIMITS.percent) throw badField(field, `must be from 0 to ${EVENT_LIMITS.percent}`)
  return percent
}

export function readFees(fees: readonly FeeBody[]): Fee[] {
  return fees.map((fee, index) => {
    const field = `fees/${index}`
    requireText(`${field}/name`, fee.name)
    if (fee.perTicket === undefined && fee.percent === undefined) {
      throw badField(field, 'must have perTicket, percent or both')
    }
    if (fee.percent !== undefined) requirePercent(`${field}/percent`, fee.percent)
    return fee
  })
}

/** A variant that comes without its id keeps that of the variant of the same name. */
export function readVariants(
  bodies: readonly VariantBody[],
  known: readonly VariantDraft[],
  type: string,
): VariantDraft[] {
  const field = `${type}/variants`
  const names = new Set<string>()
  return bodies.map(({ id, name, price }, index) => {
    requireText(`${field}/${index}/name`, name)
    if (names.has(name)) throw badField(`${field}/${index}/name`, 'must not be used by two variants')
    names.add(name)
    return { id: id ?? known.find((variant) => variant.name === name)?.id ?? null, name, price }
  })
}

/** A wish names a variant by its id alone, so no two of an event may have the same. */
export function requireVariantIds(types: readonly { readonly variants: readonly VariantDraft[] }[]): void {
  const seen = new Set<string>()
  for (const [place, { variants }] of types.entries()) {
    for (const [index, { id }] of variants.entries()) {
      if (id !== null && seen.has(id)) {
        throw badField(`seatTypes/${place}/variants/${index}/id`, 'must not be used by two variants')
      }
      if (id !== null) seen.add(id)
    }
  }
}

/** The highest price that a seat of a type may have. */
export function highestPrice(type: { price?: number; variants?: readonly { readonly price: number }[] }): number {
  return Math.max(type.price ?? 0, ...(type.variants ?? []).map(({ price }) => price))
}

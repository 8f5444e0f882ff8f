/** A concession: another price for a seat of the same type. */
export interface Variant {
  readonly id: string
  readonly name: string
  /** In minor units. */
  readonly price: number
}

/** How many seats of an order have a variant. */
export interface VariantWish {
  readonly variantId: string
  readonly quantity: number
}

export interface TypeWithVariants {
  readonly id: string
  readonly variants: readonly Variant[]
}

export type VariantChoice =
  /** One for each seat, in their order; null where the type has no variants. */
  { readonly status: 'chosen'; readonly variants: readonly (Variant | null)[] } | VariantRefusal

export type VariantRefusal =
  /** No seat type of the event has them, or none of the seats is of their type. */
  | { readonly status: 'unknown_variant'; readonly variantIds: readonly string[] }
  /** The quantities do not add up to the seats whose types have variants. */
  | { readonly status: 'wrong_quantities'; readonly seats: number }

/**
 * Gives the seats of an order their variants: the first seats of a type get the variant that the wish names first.
 * Without a wish every seat has the first variant of its type.
 */
export function chooseVariants(
  types: readonly TypeWithVariants[],
  wish: readonly VariantWish[] | undefined,
): VariantChoice {
  if (wish === undefined) return { status: 'chosen', variants: types.map(({ variants }) => variants[0] ?? null) }
  const known = new Map(types.flatMap(({ variants }) => variants.map((variant) => [variant.id, variant])))
  const unknown = wish.filter(({ variantId }) => !known.has(variantId)).map(({ variantId }) => variantId)
  if (unknown.length > 0) return { status: 'unknown_variant', variantIds: unknown }

  const left = wish.map(({ variantId, quantity }) => ({ variantId, quantity }))
  const seats = types.filter(({ variants }) => variants.length > 0).length
  const chosen: (Variant | null)[] = []
  for (const { variants } of types) {
    const next = left.find((one) => one.quantity > 0 && variants.some(({ id }) => id === one.variantId))
    if (variants.length > 0 && next === undefined) return { status: 'wrong_quantities', seats }
    if (next !== undefined) next.quantity -= 1
    chosen.push(next === undefined ? null : (known.get(next.variantId) ?? null))
  }
  if (left.some(({ quantity }) => quantity > 0)) return { status: 'wrong_quantities', seats }
  return { status: 'chosen', variants: chosen }
}

/** What a line calls a seat: "Stalls · Child". */
export const nameOfSeat = (typeName: string, variant: Variant | null): string =>
  variant === null ? typeName : `${typeName} · ${variant.name}`

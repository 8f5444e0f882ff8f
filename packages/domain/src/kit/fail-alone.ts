/** How one item of a batch ended. */
export type Outcome<Reply> = { readonly reply: Reply } | { readonly error: unknown }

export interface FailAloneOptions<Item, Reply> {
  /** One call for many items; answers each, in their order. Must be safe to repeat. */
  readonly run: (items: readonly Item[]) => Promise<readonly Reply[]>
  /** Whether one of the items may have caused the error. Other errors, such as an unreachable store, are thrown. */
  readonly isAboutItems: (error: unknown) => boolean
  /** Called when a call failed because of one of its items. */
  readonly onDivided?: (error: unknown, items: readonly Item[]) => void
}

/**
 * Makes one call for many items. When one item makes the call fail, the call is repeated for each half, until the item
 * fails alone: one bad request changes the outcome of no other request (I33). The earlier half goes first, so that the
 * order of the items stays the order of their effects. Halving finds one bad item among 200 with 16 calls, and makes at
 * most two calls for each item however many are bad.
 */
export async function failAlone<Item, Reply>(
  items: readonly Item[],
  options: FailAloneOptions<Item, Reply>,
): Promise<Outcome<Reply>[]> {
  try {
    const replies = await options.run(items)
    if (replies.length !== items.length) throw new Error(`Expected ${items.length} replies, got ${replies.length}`)
    return replies.map((reply) => ({ reply }))
  } catch (error) {
    if (!options.isAboutItems(error)) throw error
    if (items.length <= 1) return items.map(() => ({ error }))
    options.onDivided?.(error, items)
    const middle = Math.ceil(items.length / 2)
    const earlier = await failAlone(items.slice(0, middle), options)
    const later = await failAlone(items.slice(middle), options)
    return [...earlier, ...later]
  }
}

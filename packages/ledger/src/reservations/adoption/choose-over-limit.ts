/** A reservation of a guest that is paid for, or has not expired. */
export interface Holding {
  readonly id: string
  readonly seats: number
  /** Paid, or a payment is under way or undecided: it is never cancelled. */
  readonly isPaid: boolean
}

/**
 * Which reservations the account cannot keep: those that are pending and would bring it over the limit, the earlier ones
 * kept first. `owned` is what the account has of its own. Rule B50.
 */
export function chooseOverLimit({
  limit,
  owned,
  holdings,
}: {
  readonly limit: number | null
  readonly owned: number
  readonly holdings: readonly Holding[]
}): string[] {
  if (limit === null) return []
  let total = owned
  for (const { isPaid, seats } of holdings) if (isPaid) total += seats
  const excess: string[] = []
  for (const { id, isPaid, seats } of holdings) {
    if (isPaid) continue
    if (total + seats > limit) excess.push(id)
    else total += seats
  }
  return excess
}

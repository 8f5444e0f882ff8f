/** How many networks had from `ticketsMin` to `ticketsMax` tickets each, and how they fared together. */
export interface NetworkGroup {
  readonly ticketsMin: number
  readonly ticketsMax: number
  readonly networks: number
  readonly tickets: number
  readonly admitted: number
}

/** A group tells of at least so many networks, so that no figure is about one household or one firm. */
export const NETWORKS_MIN = 5

/**
 * Merges groups of networks until each has at least NETWORKS_MIN: a group that is too small joins the next smaller one, and the
 * smallest the next larger. Null where there are fewer networks than that in all. `groups` are in the order of size.
 */
export function mergeNetworks(groups: readonly NetworkGroup[]): NetworkGroup[] | null {
  const merged: NetworkGroup[] = []
  let rest: NetworkGroup | null = null
  for (const group of groups.toReversed()) {
    const all: NetworkGroup = rest === null ? group : join(group, rest)
    if (all.networks >= NETWORKS_MIN) merged.unshift(all)
    rest = all.networks >= NETWORKS_MIN ? null : all
  }
  if (rest === null) return merged
  const [first, ...others] = merged
  return first === undefined ? null : [join(rest, first), ...others]
}

function join(smaller: NetworkGroup, larger: NetworkGroup): NetworkGroup {
  return {
    ticketsMin: smaller.ticketsMin,
    ticketsMax: larger.ticketsMax,
    networks: smaller.networks + larger.networks,
    tickets: smaller.tickets + larger.tickets,
    admitted: smaller.admitted + larger.admitted,
  }
}

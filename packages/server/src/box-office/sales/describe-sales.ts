import type { SeatTypeSales } from '@seatwise/ledger'

/** The figures of a sale: for each seat type, and in total. Prices in different currencies are not added up. */
export function describeSales(types: readonly SeatTypeSales[]) {
  const seatTypes = types.map((type) => ({ ...type, total: type.available + type.held + type.sold + type.blocked }))
  const sumOf = (key: 'available' | 'held' | 'sold' | 'blocked' | 'total') =>
    seatTypes.reduce((sum, type) => sum + type[key], 0)
  const revenue = new Map<string, number>()
  for (const type of types) revenue.set(type.currency, (revenue.get(type.currency) ?? 0) + type.revenue)
  return {
    available: sumOf('available'),
    held: sumOf('held'),
    sold: sumOf('sold'),
    blocked: sumOf('blocked'),
    total: sumOf('total'),
    revenue: [...revenue].map(([currency, amount]) => ({ currency, amount })),
    seatTypes,
  }
}

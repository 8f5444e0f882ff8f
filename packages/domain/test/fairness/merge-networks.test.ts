import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mergeNetworks, NETWORKS_MIN, type NetworkGroup } from '../../src/index.ts'

const group = (ticketsMin: number, networks: number): NetworkGroup => ({
  ...{ ticketsMin, ticketsMax: ticketsMin * 2 - 1, networks, tickets: networks * ticketsMin, admitted: 0 },
})

it('[J74] a group of networks that is too small joins its neighbour', () => {
  expect(mergeNetworks([group(1, 90), group(2, 7), group(4, 3), group(8, 1)])).toEqual([
    group(1, 90),
    { ...group(2, 7), ticketsMax: 15, networks: 11, tickets: 7 * 2 + 3 * 4 + 8 },
  ])
  expect(mergeNetworks([group(1, 1), group(2, 5)])?.map(({ networks }) => networks)).toEqual([6])
  expect(mergeNetworks([group(1, 2), group(2, 2)])).toBe(null)
  expect(mergeNetworks([])).toEqual([])
})

it('[J74] no group tells of fewer networks than the minimum, and none is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 }), (sizes) => {
      const groups = sizes.map((networks, index) => group(2 ** index, networks))
      const all = sizes.reduce((sum, networks) => sum + networks, 0)
      const merged = mergeNetworks(groups)
      if (merged === null) return all < NETWORKS_MIN
      expect(Math.min(...merged.map(({ networks }) => networks))).toBeGreaterThanOrEqual(NETWORKS_MIN)
      expect(merged.reduce((sum, { networks }) => sum + networks, 0)).toBe(all)
      expect(merged.reduce((sum, { tickets }) => sum + tickets, 0)).toBe(
        groups.reduce((sum, { tickets }) => sum + tickets, 0),
      )
      return true
    }),
  )
})

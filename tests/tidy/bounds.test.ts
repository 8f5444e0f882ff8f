import { expect, it } from 'vitest'
import { boundsBesideTheirCode, boundsIn, boundsWithoutMetric } from './rules/bounds.ts'
import { readSources, type Source } from './sources.ts'

const sources = readSources()

it('[H24] every bound in docs/bounds.md is in the code with the value it states, and has a metric', () => {
  expect(boundsIn(sources).length).toBeGreaterThan(20)
  expect(boundsBesideTheirCode(sources)).toEqual([])
  expect(boundsWithoutMetric(sources)).toEqual([])
})

it('[H24 control] a bound that is gone, has another value or no metric is found', () => {
  const path = 'packages/server/src/a.ts'
  const paper = (bound: string, metric: string): Source[] => [
    {
      path: 'docs/bounds.md',
      text: `| what | bound | where | metric | full |\n| a | ${bound} | \`${path}\` | ${metric} | no |\n`,
    },
    { path, text: "const A_MAX = 1_000\nmeasureBuffers(metrics, { items: () => 1 })\nname: 'seatwise_items'\n" },
  ]
  for (const metric of ['`items`', '`seatwise_items`', '`nodejs_heap`']) {
    expect(boundsWithoutMetric(paper('`A_MAX` 1,000', metric))).toEqual([])
  }
  expect(boundsBesideTheirCode(paper('`A_MAX` 1,000', '`items`'))).toEqual([])
  expect(boundsBesideTheirCode(paper('`A_MAX` 2,000', '`items`'))).toHaveLength(1)
  expect(boundsBesideTheirCode(paper('`B_MAX`', '`items`'))).toHaveLength(1)
  expect(boundsWithoutMetric(paper('`A_MAX`', '`others`'))).toHaveLength(1)
  expect(boundsWithoutMetric(paper('`A_MAX`', 'none'))).toHaveLength(1)
  const moved = paper('`A_MAX`', '`items`').map((source) =>
    source.path === path ? { ...source, path: 'b.ts' } : source,
  )
  expect(boundsBesideTheirCode(moved)).toHaveLength(1)
})

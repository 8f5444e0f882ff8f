import { expect, it } from 'vitest'
import {
  malformedRules,
  repeatedRules,
  rulesIn,
  titlesIn,
  titlesWithoutRule,
  unknownRules,
  unprovedRules,
} from './rules/specification.ts'
import { readSources, type Source } from './sources.ts'

const sources = readSources()

it('[H12] every rule in spec/ is stated once, in the common form, and named by a test', () => {
  expect(rulesIn(sources).length).toBeGreaterThan(50)
  expect(malformedRules(sources)).toEqual([])
  expect(repeatedRules(rulesIn(sources))).toEqual([])
  expect(unprovedRules(sources)).toEqual([])
})

it('[H13] every test starts with the rules it proves, and they exist', () => {
  expect(titlesIn(sources).length).toBeGreaterThan(50)
  expect(titlesWithoutRule(sources)).toEqual([])
  expect(unknownRules(sources)).toEqual([])
})

it('[H12 control] an unproved, a repeated and a malformed rule are found', () => {
  const spec = { path: 'spec/line.md', text: '- **L1** One.\n- **L2** Two.\n' }
  for (const title of ['[L1 L2] both', '[L1] [L2] both', '[L1, L2] both']) {
    expect(unprovedRules([spec, titled(title)])).toEqual([])
  }
  expect(unprovedRules([spec, titled('[L1 control] one')])).toEqual(['spec/line.md: no test title names L2'])
  expect(repeatedRules(rulesIn([spec, { ...spec, path: 'spec/room.md' }]))).toHaveLength(2)
  expect(
    malformedRules([{ path: 'spec/line.md', text: '- L1: One.\n- **L2**: Two.\n- **L3** Three.\n' }]),
  ).toHaveLength(2)
})

it('[H13 control] a title without a rule and a title with an unknown rule are found', () => {
  const spec = { path: 'spec/line.md', text: '- **L1** One.\n' }
  expect(titlesWithoutRule([spec, titled('[L1] one')])).toEqual([])
  expect(titlesWithoutRule([spec, titled('joins twice')])).toHaveLength(1)
  expect(unknownRules([spec, titled('[L1] one')])).toEqual([])
  expect(unknownRules([spec, titled('[L1 L9] one')])).toHaveLength(1)
  expect(titlesIn([each('[L1] join %s')])).toEqual([{ path: 'packages/line/test/join.test.ts', title: '[L1] join %s' }])
})

// The samples are put together here, or the rule would take them for tests of this file.
function titled(title: string): Source {
  return { path: 'packages/line/test/join.test.ts', text: ['it', `('${title}', async () => {})\n`].join('') }
}

function each(title: string): Source {
  return { path: 'packages/line/test/join.test.ts', text: ['it', `.each([1, 2])('${title}', () => {})\n`].join('') }
}

import { expect, it } from 'vitest'
import { threatsIn, undefendedThreats } from './rules/threats.ts'
import { readSources, type Source } from './sources.ts'

const sources = readSources()

it('[H29] docs/threats.md says of at least forty attacks who, what, what stops them, and which test shows it', () => {
  expect(threatsIn(sources).length).toBeGreaterThanOrEqual(40)
  expect(undefendedThreats(sources)).toEqual([])
})

it('[H29 control] a row without a test, with a test that is gone, or about an unknown attacker is found', () => {
  const rows = ['visitor', 'bot', 'buyer', 'organiser of another house', 'staff', 'network']
  const file = 'packages/line/test/join.test.ts'
  // Put together here, or the rule would take it for a test of this file.
  const tests = { path: file, text: ['it', "('[L1] one', () => {})\n"].join('') }
  const sound = rows.map((who) => `| ${who} | a place | a lock | \`[L1]\` in \`${file}\` |`)
  expect(undefendedThreats([tests, paper(sound)])).toEqual([])
  for (const row of [
    '| visitor | a place | a lock | |',
    `| visitor | a place | a lock | \`[L2]\` in \`${file}\` |`,
    '| visitor | a place | a lock | `[L1]` in `packages/line/test/leave.test.ts` |',
    `| visitor | a place |  | \`[L1]\` in \`${file}\` |`,
    `| stranger | a place | a lock | \`[L1]\` in \`${file}\` |`,
  ]) {
    expect(undefendedThreats([tests, paper([...sound, row])])).toHaveLength(1)
  }
  expect(undefendedThreats([tests, paper(sound.slice(1))])).toHaveLength(1)
})

function paper(rows: readonly string[]): Source {
  const head = '## What is defended, and how\n\n| who | wants | what stops them | test |\n| --- | --- | --- | --- |\n'
  return { path: 'docs/threats.md', text: `${head}${rows.join('\n')}\n` }
}

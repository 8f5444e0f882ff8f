import { expect, it } from 'vitest'
import { brokenHops, hopsIn } from './rules/journeys.ts'
import { readSources, type Source } from './sources.ts'

const sources = readSources()
const JOURNEYS = ['A join', 'A reservation', 'A payment', 'A rebuild']

it('[H50] docs/journeys.md follows a join, a reservation, a payment and a rebuild through files and functions that exist', () => {
  const journeys = new Set(hopsIn(sources).map(({ journey }) => journey))
  expect([...journeys]).toEqual(JOURNEYS)
  expect(brokenHops(sources)).toEqual([])
})

it('[H50 control] a hop is found when its file or function is gone', () => {
  const file = 'packages/line/src/join.ts'
  const script = 'packages/line/lua/join.lua'
  const code = [
    {
      path: file,
      text: 'export async function join() {}\nclass Line {\n  async leave(at: number) {}\n  #wait() {}\n}\n',
    },
    { path: script, text: '-- joins' },
  ]
  const sound = [`| 1 | \`${file}\` | \`join\` | joins |`, `| 2 | \`${file}\` | \`Line.leave\` | leaves |`]
  const more = [`| 3 | \`${file}\` | \`Line.#wait\` | waits |`, `| 4 | \`${script}\` | – | one step |`]
  expect(brokenHops([...code, paper([...sound, ...more])])).toEqual([])
  for (const row of [
    `| 5 | \`${file}\` | \`rejoin\` | joins again |`,
    `| 5 | \`${file}\` | \`Line.enter\` | enters |`,
    `| 5 | \`${file}\` | – | nothing |`,
    '| 5 | `packages/line/src/leave.ts` | `leave` | leaves |',
    '| 5 | `packages/line/lua/leave.lua` | – | leaves |',
  ]) {
    expect(brokenHops([...code, paper([...sound, row])])).toHaveLength(1)
  }
})

function paper(rows: readonly string[]): Source {
  const head = '## A join\n\n| hop | file | function | what happens |\n| --- | --- | --- | --- |\n'
  return { path: 'docs/journeys.md', text: `${head}${rows.join('\n')}\n` }
}

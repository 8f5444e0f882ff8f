import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPages } from '../support/build-pages.mjs'
import { installPackages } from '../support/install-packages.mjs'
import { installSystemPackages } from '../support/install-system-packages.mjs'
import { node26, root } from '../support/places.mjs'
import { run } from '../support/run.mjs'

/** Each with the section of bench/RESULTS.md that it writes, in that order; about twenty minutes in all on two cores. */
const PROGRAMS = {
  events: 'Events',
  claims: 'Claims',
  line: 'Line',
  'box-office': 'Box office',
  push: 'Push',
  guard: 'Guard',
  pages: 'Pages',
  overload: 'Overload',
  verify: 'Verify',
  scaling: 'Scaling',
  rehearsal: 'Rehearsal',
}
/** None takes so long; one that hangs is ended, and the others still have their turn. */
const PROGRAM_MS_MAX = 300_000

/** Runs all programs of bench/, or those that are named, one after the other: they would disturb each other. */
export async function bench(names) {
  const unknown = names.find((name) => !Object.hasOwn(PROGRAMS, name))
  if (unknown !== undefined) {
    console.error(`There is no bench "${unknown}": choose from ${Object.keys(PROGRAMS).join(', ')}.`)
    process.exitCode = 2
    return
  }
  await installPackages()
  await installSystemPackages()
  await buildPages()
  const broken = []
  const wanted = names.length === 0 ? Object.keys(PROGRAMS) : names
  for (const [index, name] of wanted.entries()) {
    console.log(`\n== ${name} (${index + 1} of ${wanted.length})`)
    // 1 says that a bar was missed, which the table below shows; anything else that there is no figure.
    if ((await run(node26, [join(root, 'bench', `${name}.ts`)], {}, PROGRAM_MS_MAX)) > 1) broken.push(name)
  }
  const measured = wanted.filter((name) => !broken.includes(name)).map((name) => PROGRAMS[name])
  const bars = readBars().filter(({ section }) => measured.includes(section))
  console.log(`\n${tableOf(bars).join('\n')}`)
  for (const name of broken) console.log(`${name} ended without a result: what RESULTS.md says of it is older`)
  const missed = bars.filter(({ isMet }) => !isMet).length
  console.log(`\n${bars.length - missed} of ${bars.length} bars are met; bench/RESULTS.md has the tables.`)
  process.exitCode = missed > 0 || broken.length > 0 ? 1 : 0
}

/** The rows of bench/RESULTS.md that have a bar. */
function readBars() {
  const bars = []
  let section = ''
  for (const line of readFileSync(join(root, 'bench', 'RESULTS.md'), 'utf8').split('\n')) {
    if (line.startsWith('## ')) section = line.slice(3)
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    const [what, measured, ceiling, figure, bar, met] = cells
    if (cells.length === 6 && (met === 'yes' || met === 'no'))
      bars.push({ section, what, measured, ceiling, figure, bar, isMet: met === 'yes' })
  }
  return bars
}

/** All budgets side by side, in columns that are as wide as they have to be. */
function tableOf(bars) {
  const rows = [
    ['', 'figure', 'bar', 'measured', 'compared with', 'what'],
    ...bars.map(({ section, what, measured, ceiling, figure, bar, isMet }) => [
      ...[isMet ? 'ok' : 'MISSED', figure, bar, measured, ceiling, `${section}: ${what}`],
    ]),
  ]
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  )
}

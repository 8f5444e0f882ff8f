import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { BUDGETS, OTHER_BARS } from '../support/budgets.mjs'
import { buildPages } from '../support/build-pages.mjs'
import { installPackages } from '../support/install-packages.mjs'
import { installSystemPackages } from '../support/install-system-packages.mjs'
import { node26, root } from '../support/places.mjs'
import { run } from '../support/run.mjs'

/** Each with the section of bench/RESULTS.md that it writes, in that order; about half an hour in all on two cores. */
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
  'great-rehearsal': 'Great rehearsal',
}
/** The box office takes five to ten minutes; one that hangs is ended, and the others still have their turn. */
const PROGRAM_MS_MAX = 900_000
const RESULTS = join(root, 'bench', 'RESULTS.md')

/**
 * Runs all programs of bench/, or those that are named, one after the other: they would disturb each other. `--show`
 * measures nothing and shows what was measured last.
 */
export async function bench(args) {
  const names = args.filter((arg) => arg !== '--show')
  const unknown = names.find((name) => !Object.hasOwn(PROGRAMS, name))
  if (unknown !== undefined) {
    console.error(`There is no bench "${unknown}": choose from ${Object.keys(PROGRAMS).join(', ')}, or --show.`)
    process.exitCode = 2
    return
  }
  const wanted = names.length === 0 ? Object.keys(PROGRAMS) : names
  const broken = args.includes('--show') ? [] : await measure(wanted)
  const isBroken = (name) => broken.some((each) => each.name === name)
  const shown = wanted.filter((name) => !isBroken(name)).map((name) => PROGRAMS[name])
  const bars = readBars().filter(({ section }) => shown.includes(section))
  const absent = BUDGETS.filter(
    ({ section, row }) => isAbsent(bars, section, row) && wanted.some((name) => PROGRAMS[name] === section),
  )
  show(bars, absent, broken)
  process.exitCode = broken.length + absent.length > 0 || bars.some(({ isMet }) => !isMet) ? 1 : 0
}

/** Returns those that ended without a result, and how. */
async function measure(names) {
  await installPackages()
  await installSystemPackages()
  await buildPages()
  const broken = []
  for (const [index, name] of names.entries()) {
    console.log(`\n== ${name} (${index + 1} of ${names.length})`)
    const before = statSync(RESULTS).mtimeMs
    const startedAt = performance.now()
    const code = await run(node26, [join(root, 'bench', `${name}.ts`)], {}, PROGRAM_MS_MAX)
    console.log(`== ${name} took ${Math.round((performance.now() - startedAt) / 1_000)} s`)
    // It ends with 1 when a bar is missed and when it breaks off; only then it has not written its section.
    if (statSync(RESULTS).mtimeMs === before) broken.push({ name, code })
  }
  return broken
}

/** The budgets of the design first, then every other bar; and why those that are missed are missed. */
function show(bars, absent, broken) {
  const isBudget = (bar) => findFor(bar, BUDGETS) !== undefined
  const withoutFigure = absent.map(({ section, name }) => ({ section, what: name, figure: '–', isMet: false }))
  console.log(`\n${tableOf('THE BUDGETS OF THE DESIGN', [...bars.filter(isBudget), ...withoutFigure]).join('\n')}`)
  console.log(
    `\n${tableOf(
      'EVERYTHING ELSE THAT HAS A BAR',
      bars.filter((bar) => !isBudget(bar)),
    ).join('\n')}`,
  )
  const missed = bars.filter(({ isMet }) => !isMet)
  if (missed.length + absent.length + broken.length > 0) console.log('\nMISSED')
  for (const bar of missed)
    console.log(`· ${bar.section}: ${bar.what}: ${bar.figure}, not ${bar.bar}. ${whyMissed(bar)}`)
  for (const { name, code } of broken) {
    const how = code === 128 + 15 ? `was ended after ${PROGRAM_MS_MAX / 1_000} s` : `broke off with ${code}`
    console.log(`· ${name} ${how}: what it printed above says why, and what bench/RESULTS.md has of it is older.`)
  }
  for (const { section, name } of absent) {
    console.log(`· ${section}: ${name}: bench/RESULTS.md has no figure, because its program did not come to an end.`)
  }
  console.log(`\n${bars.length - missed.length} of ${bars.length} bars are met; bench/RESULTS.md has the tables.`)
}

function whyMissed(bar) {
  return (
    findFor(bar, BUDGETS)?.why ??
    findFor(bar, OTHER_BARS)?.why ??
    'Its section in bench/RESULTS.md says how it was measured.'
  )
}

const isAbsent = (bars, section, row) => !bars.some((bar) => bar.section === section && row.test(bar.what))

/** The one of a list that is about a row. */
function findFor({ section, what }, list) {
  return list.find((one) => one.section === section && one.row.test(what))
}

/** The rows of bench/RESULTS.md that have a bar. */
function readBars() {
  const bars = []
  let section = ''
  for (const line of readFileSync(RESULTS, 'utf8').split('\n')) {
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

/** Side by side, in columns that are as wide as they have to be. */
function tableOf(title, bars) {
  const rows = [
    ['', 'figure', 'bar', 'measured', 'compared with', 'what'],
    ...bars.map(({ section, what, measured = '', ceiling = '', figure, bar = '', isMet }) => [
      ...[isMet ? 'ok' : 'MISSED', figure, bar, measured, ceiling, `${section}: ${what}`],
    ]),
  ]
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  )
  return [title, ...lines]
}

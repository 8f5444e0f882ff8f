import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPages } from '../support/build-pages.mjs'
import { installPackages } from '../support/install-packages.mjs'
import { installBenchPackages } from '../support/install-system-packages.mjs'
import { node26, root } from '../support/places.mjs'
import { run } from '../support/run.mjs'

/** Each with the section of bench/RESULTS.md that it writes. `core` is the default; all take about three quarters of an hour. */
const PROGRAMS = {
  core: 'Core',
  events: 'Events',
  line: 'Line',
  peak: 'Peak',
  push: 'Push',
  guard: 'Guard',
  fans: 'Fans',
  pages: 'Pages',
  overload: 'Overload',
  verify: 'Verify',
  scaling: 'Scaling',
  rehearsal: 'Rehearsal',
  'great-rehearsal': 'Great rehearsal',
  estimates: 'Estimates',
  'fair-start': 'Fair start',
  'ten-million': 'Ten million',
}
/** Parts of the core program that can be measured alone; with its options they are handed on to it. */
const CORE_PARTS = ['joins', 'polls', 'reservations', 'losers', 'visits']
/** A program that hangs is killed, and the others still run. */
const PROGRAM_MS_MAX = 1_800_000
const RESULTS = join(root, 'bench', 'RESULTS.md')
const USAGE = `Usage: npm run bench [-- NAME… | all | figures | --show | [PART…] [--rounds N] [--connections N]… [--tree DIR]… | hops]
  NAME     one of ${Object.keys(PROGRAMS).join(', ')}; core unless told otherwise
  all      every one of them, at one commit
  figures  measures nothing, and writes the figures of bench/RESULTS.md into README.md, ARCHITECTURE.md and docs/
  --show   measures nothing, and shows every bar beside its figure
  PART     of core: ${CORE_PARTS.join(', ')}; printed only
  --tree   another checkout, measured by the core program in turns with this one; printed only
  hops     how many source files a join, a poll, a reservation and a payment execute; [--distributed] [--files]`

/** Runs the programs one after the other: they would disturb each other. Then writes the figures into the docs. */
export async function bench(args) {
  if (args[0] === 'hops') return await countHops(args.slice(1))
  const wanted = wantedOf(args)
  if (wanted === null) {
    console.error(USAGE)
    process.exitCode = 2
    return
  }
  const { programs, coreArgs, isPrintedOnly } = wanted
  const failed = programs.length === 0 ? [] : await measure(programs, coreArgs)
  if (isPrintedOnly) process.exitCode = failed.length > 0 ? 1 : 0
  else await conclude(programs, failed, args.includes('--show'))
}

async function countHops(args) {
  await installPackages()
  process.exitCode = await run(node26, [join(root, 'bench', 'hops.ts'), ...args])
}

/** Null when an argument is not understood. */
function wantedOf(args) {
  if (args.length === 1 && (args[0] === 'figures' || args[0] === '--show'))
    return { programs: [], coreArgs: [], isPrintedOnly: false }
  if (args.length === 1 && args[0] === 'all')
    return { programs: Object.keys(PROGRAMS), coreArgs: [], isPrintedOnly: false }
  if (args.length > 0 && args.every((arg) => Object.hasOwn(PROGRAMS, arg)))
    return { programs: args, coreArgs: [], isPrintedOnly: false }
  const isHandedOn = (arg, index) =>
    CORE_PARTS.includes(arg) ||
    /^--(rounds|connections|tree)(=|$)/.test(arg) ||
    /^--(rounds|connections|tree)$/.test(args[index - 1] ?? '')
  return args.every(isHandedOn) ? { programs: ['core'], coreArgs: args, isPrintedOnly: args.length > 0 } : null
}

/** Returns the programs that ended with an error, and how. A missed bar is no error. */
async function measure(programs, coreArgs) {
  await installPackages()
  await installBenchPackages()
  await buildPages()
  const failed = []
  for (const [index, name] of programs.entries()) {
    console.log(`\n== ${name} (${index + 1} of ${programs.length})`)
    const startedAt = performance.now()
    const args = name === 'core' ? coreArgs : []
    const code = await run(node26, [join(root, 'bench', `${name}.ts`), ...args], {}, PROGRAM_MS_MAX)
    console.log(`== ${name} took ${Math.round((performance.now() - startedAt) / 1_000)} s`)
    if (code !== 0) failed.push({ name, code })
  }
  return failed
}

async function conclude(programs, failed, isShown) {
  const written = isShown ? 0 : await run(node26, [join(root, 'bench', 'figures.ts')])
  const bars = readBars()
  for (const { section, what, figure, bar, isMet } of bars)
    console.log(`${isMet ? 'yes' : 'NO '}  ${section}: ${what}: ${figure}${bar === undefined ? '' : `, bar ${bar}`}`)
  for (const { name, code } of failed) console.log(`${name} ended with ${code}; what it printed above says why.`)
  const missed = bars.filter(({ section, isMet }) => !isMet && (programs.length === 0 || isOf(programs, section)))
  console.log(`\n${bars.filter(({ isMet }) => isMet).length} of ${bars.length} bars are met.`)
  process.exitCode = written !== 0 || failed.length + missed.length > 0 ? 1 : 0
}

const isOf = (programs, section) => programs.some((name) => PROGRAMS[name] === section)

/** The rows of bench/RESULTS.md that have a bar. A row's figure is its median, its error, or the column of that name. */
function readBars() {
  const bars = []
  let section = ''
  let header = []
  for (const line of readFileSync(RESULTS, 'utf8').split('\n')) {
    if (line.startsWith('## ')) section = line.slice(3)
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    if (cells.includes('met')) header = cells
    const cell = (name) => cells[header.indexOf(name)]
    const met = cell('met')
    if (cells.length === header.length && (met === 'yes' || met === 'no')) {
      const figure = cell('median') ?? cell('figure') ?? cell('median error')
      bars.push({ section, what: cells[0], figure, bar: cell('bar'), isMet: met === 'yes' })
    }
  }
  return bars
}

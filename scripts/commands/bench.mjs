import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPages } from '../support/build-pages.mjs'
import { installPackages } from '../support/install-packages.mjs'
import { installSystemPackages } from '../support/install-system-packages.mjs'
import { node26, root } from '../support/places.mjs'
import { run } from '../support/run.mjs'

/** In the order of the sections they write; about twenty minutes in all on two cores. */
const PROGRAMS = ['events', 'claims', 'line', 'box-office', 'overload', 'push', 'guard', 'pages', 'verify']

/** Runs all programs of bench/, or those that are named, one after the other: they would disturb each other. */
export async function bench(names) {
  const unknown = names.find((name) => !PROGRAMS.includes(name))
  if (unknown !== undefined) {
    console.error(`There is no bench "${unknown}": choose from ${PROGRAMS.join(', ')}.`)
    process.exitCode = 2
    return
  }
  await installPackages()
  await installSystemPackages()
  await buildPages()
  const broken = []
  const wanted = names.length === 0 ? PROGRAMS : names
  for (const [index, name] of wanted.entries()) {
    console.log(`\n== ${name} (${index + 1} of ${wanted.length})`)
    // 1 says that a bar was missed, which the table below shows; anything else that there is no figure.
    if ((await run(node26, [join(root, 'bench', `${name}.ts`)])) > 1) broken.push(name)
  }
  const bars = readBars()
  for (const { section, what, figure, bar, isMet } of bars) {
    console.log(`${isMet ? 'ok    ' : 'MISSED'}  ${figure.padStart(9)}  ${bar.padEnd(9)}  ${section}: ${what}`)
  }
  for (const name of broken) console.log(`BROKEN  ${name} ended without a result`)
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
    const [what, , , figure, bar, met] = cells
    if (cells.length === 6 && (met === 'yes' || met === 'no'))
      bars.push({ section, what, figure, bar, isMet: met === 'yes' })
  }
  return bars
}

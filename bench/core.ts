import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Figures } from './core/figures.ts'
import { measureRound, PARTS, type Part, type Prepared, prepare, startBares, WAITING } from './core/rounds.ts'
import { startSubject } from './core/subject.ts'
import { BAR_CONNECTIONS, CONNECTIONS, comparisonOf, tablesOf } from './core/tables.ts'
import { writeSection } from './support/results.ts'
import { spreadTable } from './support/spread.ts'

/*
 * node bench/core.ts [joins] [polls] [reservations] [losers] [visits] [--rounds N] [--connections N]… [--tree DIR]…
 *
 * The core table, measured as METHOD.md says. Only a whole run of at least five rounds is written down. With --tree,
 * servers of other checkouts are measured in turns with this one, and the run is printed only.
 */

const ROUNDS = 5
const WARM_UP_ROUNDS = 2
const NOTES = `The far polls come from a line of ${WAITING.toLocaleString('en')}. [METHOD.md](METHOD.md) says how all of it is measured.`

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    connections: { type: 'string', multiple: true },
    tree: { type: 'string', multiple: true },
  },
})
const isPart = (name: string): name is Part => PARTS.some((part) => part === name)
const unknown = positionals.find((name) => !isPart(name))
if (unknown !== undefined) throw new Error(`There is no part ${unknown}: choose from ${PARTS.join(', ')}`)
const parts: ReadonlySet<Part> = new Set(positionals.length === 0 ? PARTS : positionals.filter(isPart))
const rounds = Number(options.rounds ?? ROUNDS)
const others = (options.tree ?? []).map((tree) => resolve(tree))
const connections = options.connections?.map(Number) ?? CONNECTIONS
const isWhole = parts.size === PARTS.length && rounds >= ROUNDS && connections === CONNECTIONS && others.length === 0

await using stack = new AsyncDisposableStack()
const figures = new Figures()
const prepared: Prepared[] = []
for (const tree of [resolve(import.meta.dirname, '..'), ...others]) {
  const name = prepared.length === 0 ? 'this checkout' : basename(tree)
  prepared.push(await prepare(stack, await startSubject(stack, name, tree), parts))
}
const [own] = prepared
if (own === undefined) throw new Error('No server was started')
const bare = await startBares(stack, own)

const isMeasured = await measureAll().then(
  () => true,
  (error: unknown) => {
    console.error(error)
    console.error('The run ended early: what follows was measured until then, and is not written down.')
    process.exitCode = 1
    return false
  },
)

async function measureAll(): Promise<void> {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    await measureRound({ parts, prepared, bare, connections: [BAR_CONNECTIONS] }, new Figures())
  }
  for (let round = 0; round < rounds; round += 1) {
    console.log(`round ${round + 1} of ${rounds}`)
    await measureRound({ parts, prepared, bare, connections }, figures)
  }
}

for (const one of prepared) {
  console.log([`\n${one.subject.name}\n`, ...tablesOf(figures, one)].join('\n'))
  if (one !== own)
    console.log(['', ...spreadTable(comparisonOf(figures, own.subject.name, one.subject.name))].join('\n'))
}
if (isWhole && isMeasured) writeSection('Core', [`${rounds} rounds.`, '', ...tablesOf(figures, own), '', NOTES])

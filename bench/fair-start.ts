import { startSubject } from './core/subject.ts'
import { type DrawnFigures, measureBrokenDraw, measureDraw } from './support/fair-start/drawn-million.ts'
import { measureHeadLag } from './support/fair-start/head-lag.ts'
import { measureTreeCost } from './support/fair-start/tree-cost.ts'
import { writeSection } from './support/results.ts'
import { spreadTable } from './support/spread.ts'
import { percentile } from './support/statistics.ts'

/*
 * node bench/fair-start.ts [cost] [draw] [broken]
 *
 * What the signed log costs a rush, and how a line of a million is drawn: undisturbed, and by a server that is killed twenty
 * times while the line is lost twice. Without arguments it measures all, in about ten minutes. Each part writes its section of
 * RESULTS.md.
 */

const PARTS = {
  cost: { section: 'Fair start', measure: cost },
  draw: { section: 'A million drawn', measure: draw },
  broken: { section: 'A million drawn by a server that dies', measure: broken },
} as const
const TICKETS = 1_000_000
const HEAD_LAG_MS_MAX = 2_000
const SEED = 22
const COST_NOTES = `Joins with and without the tree are measured in turns, by wrk over 100 connections, with servers and stores as in the
core table; a ratio is taken within a round. Processor time counts until all are idle again. Without means a copy of the checkout that appends nothing to a tree and signs no head. The lag
of a head is the time from an entry's own time until a client that asks all the time got a head with it.`
const DRAW_NOTES = `Those who wait for the draw join through the line itself; a server copies their entries to PostgreSQL, seals and draws.
Afterwards every place is compared with the recipe of docs/fair-start-engineers.md.`

const isPart = (name: string): name is keyof typeof PARTS => Object.hasOwn(PARTS, name)
const asked = process.argv.slice(2)
const unknown = asked.find((name) => !isPart(name))
if (unknown !== undefined) throw new Error(`There is no part ${unknown}: choose from ${Object.keys(PARTS).join(', ')}`)
const wanted = asked.length === 0 ? Object.keys(PARTS).filter(isPart) : asked.filter(isPart)

for (const part of wanted) {
  const { section, measure } = PARTS[part]
  const lines = await measure()
  console.log(['', section, '', ...lines].join('\n'))
  writeSection(section, lines)
}

async function cost(): Promise<string[]> {
  await using stack = new AsyncDisposableStack()
  const own = await startSubject(stack, 'with the tree', new URL('..', import.meta.url).pathname)
  const { withTree, without } = await measureTreeCost(stack, own)
  const lags = await measureHeadLag(own)
  const p99 = percentile(lags, 0.99)
  return [
    ...spreadTable([
      { what: 'joins/s with the tree', values: withTree.perSecond },
      { what: 'joins/s without the tree', values: without.perSecond },
      {
        ...{ what: 'joins/s, with ÷ without', digits: 2, atLeast: 0.95 },
        values: withTree.perSecond.map((rate, round) => rate / (without.perSecond[round] ?? Number.NaN)),
      },
      { what: 'a join with the tree, all processes, µs', values: withTree.micros, digits: 1 },
      { what: 'a join without the tree, all processes, µs', values: without.micros, digits: 1 },
      {
        ...{ what: 'processor time of a join, without ÷ with', digits: 2, atLeast: 0.95 },
        values: without.micros.map((micros, round) => micros / (withTree.micros[round] ?? Number.NaN)),
      },
    ]),
    '',
    `| head lag of ${lags.length.toLocaleString('en')} joins in a rush | figure | bar | met |`,
    '| --- | --- | --- | --- |',
    `| p50, ms | ${whole(percentile(lags, 0.5))} |  |  |`,
    `| p99, ms | ${whole(p99)} | ≤ ${HEAD_LAG_MS_MAX.toLocaleString('en')} | ${p99 <= HEAD_LAG_MS_MAX ? 'yes' : 'no'} |`,
    `| longest, ms | ${whole(percentile(lags, 1))} |  |  |`,
    '',
    COST_NOTES,
  ]
}

async function draw(): Promise<string[]> {
  const figures = await measureDraw(TICKETS)
  return ['| the draw of a million tickets | figure |', '| --- | --- |', ...rowsOf(figures), '', DRAW_NOTES]
}

function rowsOf(figures: DrawnFigures): string[] {
  const row = (what: string, value: number, digits = 1): string =>
    `| ${what} | ${value.toLocaleString('en', { maximumFractionDigits: digits })} |`
  return [
    row('drawn tickets, each with the place of the recipe', figures.tickets),
    row('from the start until sealed, s', figures.sealedSeconds, 2),
    row('until drawn and revealed, s', figures.revealedSeconds),
    row('until the first visitor was let in, s', figures.admittedSeconds),
    row('longest command of Redis, ms', figures.redisCommandMs),
    row('longest answer of Redis to a PING, ms', figures.redisStallMs),
    row('longest public read of the room, ms', figures.serverStallMs),
    row('memory of Redis before the draw, MB', figures.redisMegabytes, 0),
    row('memory of Redis at most, MB', figures.redisPeakMegabytes, 0),
    row('memory of the server at most, MB', figures.serverPeakMegabytes, 0),
  ]
}

async function broken(): Promise<string[]> {
  const { tickets, kills, seconds } = await measureBrokenDraw(TICKETS, SEED)
  return [
    `A draw of ${tickets.toLocaleString('en')} whose server was killed with \`kill -9\` at its steps ${kills} times, and whose Redis came back empty`,
    `twice in between, was over ${whole(seconds)} s after the start of the sale, every place that of the recipe (seed ${SEED}).`,
  ]
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

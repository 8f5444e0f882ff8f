import { startChild, startRedis } from '@seatwise/testbench'
import { measureFullHouse } from './support/measure-full-house.ts'
import { measureJoins } from './support/measure-joins.ts'
import { FEW, type GrowthCost, MANY, measureMemoryLine, measureRedisLine } from './support/measure-line.ts'
import { measurePolls, WAITING } from './support/measure-polls.ts'
import { onServers } from './support/on-servers.ts'
import { writeSection } from './support/results.ts'
import { atLeast, atMost, perSecond, type Row, tableOf } from './support/table.ts'

/*
 * node bench/line.ts [joins] [polls] [line] [memory] [house]
 *
 * How fast a crowd joins and asks where it stands, compared with requests that do nothing; whether a join stays as cheap
 * when a million wait; and what a waiting visitor occupies. Without arguments it measures all but the
 * last, which takes minutes, and keeps the table.
 */

const PARTS = { joins: joinRows, polls: pollRows, line: lineRows, memory: memoryRows, house: houseRows } as const
const APART = { coresApart: true }
const MILLION = MANY.toLocaleString('en')
const NOTES = `Medians of three, on servers that have warmed up. One server process; Redis (without an append-only file) and PostgreSQL
(durable) are on the same machine. For joins and polls they and the driver keep to half of the cores, and the server has the others to
itself, as on a machine of its own. The no-op is the same server with the same hooks and headers, sent the same bytes; it reads and
validates the body. All come over 400 connections. Joins and the no-op take turns, a second of joins between
halves of a second of the no-op, fifteen turns, after as many in other rooms to warm up. With all cores shared
joins were at 0.60 of the no-op in one run. **Over 100 connections they are below the bar**: 0.45, because the no-op gets faster with
fewer connections and joins do not. Polls count once everybody has asked. What a join costs a long line and a short one
is measured in turns, eighty times a thousand joins; the quarter counts that was disturbed least.`

const isPart = (name: string): name is keyof typeof PARTS => Object.hasOwn(PARTS, name)
const asked = process.argv.slice(2)
const unknown = asked.find((name) => !isPart(name))
if (unknown !== undefined) throw new Error(`There is no part ${unknown}: choose from ${Object.keys(PARTS).join(', ')}`)
const wanted =
  asked.length === 0
    ? Object.keys(PARTS)
        .filter((name) => name !== 'house')
        .filter(isPart)
    : asked.filter(isPart)

const rows: Row[] = []
for (const part of wanted) rows.push(...(await PARTS[part]()))
const table = tableOf(rows)
console.log(table.join('\n'))
if (asked.length === 0) writeSection('Line', [...table, '', NOTES])
if (rows.some(({ isMet }) => !isMet)) process.exitCode = 1

async function joinRows(): Promise<Row[]> {
  return await onServers(async ({ server, noOpUrl, ledger }) => {
    const { joins, behindMs, noOps, signedInNoOps, ratio, signedInRatio } = await measureJoins(server, noOpUrl, ledger)
    const measured = `${perSecond(joins)} (in the ledger ${behindMs.toFixed(0)} ms after the last answer)`
    return [
      atLeast(0.5, { what: 'joins ÷ no-op POST', measured, ceiling: perSecond(noOps), figure: ratio }),
      atLeast(0.5, {
        what: 'joins ÷ no-op POST that verifies the access token, too',
        measured,
        ceiling: perSecond(signedInNoOps),
        figure: signedInRatio,
      }),
    ]
  }, APART)
}

async function pollRows(): Promise<Row[]> {
  return await onServers(async ({ server, noOpUrl, redis }) => {
    const { polls, noOps, ratio, roundTripsPerPoll } = await measurePolls(server, noOpUrl, redis.port)
    const many = WAITING.toLocaleString('en')
    return [
      atLeast(0.6, {
        what: `status polls with ${many} waiting ÷ no-op GET`,
        measured: perSecond(polls),
        ceiling: perSecond(noOps),
        figure: ratio,
      }),
      atMost(0.05, { what: 'Redis round trips for each of these polls', figure: roundTripsPerPoll, digits: 4 }),
    ]
  }, APART)
}

async function lineRows(): Promise<Row[]> {
  const redis = await startRedis()
  try {
    const { cost, bytesAt } = await measureRedisLine(redis)
    return [
      costRow('on Redis, time of its script', cost),
      costRow('in memory', await measureMemoryLine()),
      ...bytesAt.map(({ waiting, each }) =>
        atMost(250, {
          what: `Redis bytes for each of ${waiting.toLocaleString('en')} waiting, log trimmed`,
          figure: each,
          digits: 0,
        }),
      ),
    ]
  } finally {
    await redis.discard()
  }
}

async function memoryRows(): Promise<Row[]> {
  const program = `${import.meta.dirname}/support/memory-line.ts`
  const child = await startChild('memory line', process.execPath, [program, String(MANY)])
  const { code } = await child.exited
  if (code !== 0) throw new Error(`The line in memory could not be filled; it printed:\n${child.output()}`)
  const what = `process with a line in memory, ${MILLION} waiting: most GB it ever had`
  return [atMost(1, { what, figure: Number(child.output()) / 2 ** 30 })]
}

/** The whole embedded server, its ledger included. */
async function houseRows(): Promise<Row[]> {
  const { residentBytes, readyMs } = await measureFullHouse(MANY)
  const what = `embedded server with ${MILLION} waiting, ledger included: GB of memory (ready ${(readyMs / 1_000).toFixed(0)} s after its start)`
  return [atMost(1, { what, figure: residentBytes / 2 ** 30, digits: 2 })]
}

function costRow(where: string, { few, many, ratio, average }: GrowthCost): Row {
  const what = `cost of a join with ${MILLION} waiting ÷ with ${FEW.toLocaleString('en')}, ${where}`
  const measured = `${many.toFixed(1)} µs (${average.toFixed(1)} µs on average from the first to the last)`
  return atMost(1.3, { what, measured, ceiling: `${few.toFixed(1)} µs`, figure: ratio })
}

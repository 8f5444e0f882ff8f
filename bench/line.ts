import { startChild, startRedis } from '@seatwise/testbench'
import { measureFullHouse } from './support/line/measure-full-house.ts'
import { FEW, type GrowthCost, MANY, measureMemoryLine, measureRedisLine } from './support/line/measure-line.ts'
import { writeSection } from './support/results.ts'
import { atMost, type Row, tableOf } from './support/table.ts'

/*
 * node bench/line.ts [line] [memory] [house]
 *
 * Whether a join stays as cheap when a million wait, and what a waiting visitor occupies. Without arguments it measures
 * all but the last, which takes minutes, and writes the table to RESULTS.md.
 */

const PARTS = { line: lineRows, memory: memoryRows, house: houseRows } as const
const MILLION = MANY.toLocaleString('en')
const NOTES = `What a join costs a long line and a short one is measured in turns, eighty times a thousand joins; the quarter counts that
was disturbed least.`

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
  const program = `${import.meta.dirname}/support/line/memory-line.ts`
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

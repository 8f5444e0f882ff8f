import { execFileSync } from 'node:child_process'
import { startRedis } from '@seatwise/testbench'
import { onRedisLine } from './support/line/line-room.ts'
import { type MillionsPoint, measureMillions, measureOften } from './support/line/measure-millions.ts'
import { measureRebuild } from './support/line/rebuild-millions.ts'
import { processorMicroseconds, usedMemoryBytes } from './support/line/redis-figures.ts'
import { writeSection } from './support/results.ts'

/*
 * node bench/ten-million.ts [redis] [embedded] [rebuild]
 *
 * Ten million waiting visitors in one room on Redis, three million in the embedded line, and how long a server takes to load
 * ten million from PostgreSQL. It needs 12 GB of free memory and about a quarter of an hour. Without arguments it measures
 * all three and writes them to RESULTS.md.
 */

const PARTS = { redis, embedded, rebuild } as const
const FEW = 1_000
const MANY = 10_000_000
const MANY_EMBEDDED = 3_000_000
/** Short lines that are measured, and their figures averaged. */
const ROOMS = 5
const BARS = { join: 1.5, look: 2 } as const
const NOTES = `The tickets are loaded through \`loadTickets\`, as a rebuild loads them, in chunks of 5,000. A step costs processor time, of the
thread of Redis that runs commands or of the process of the embedded line; all figures are means. Memory is what Redis says it uses, and the most that the
process of the embedded line ever had.`

const isPart = (name: string): name is keyof typeof PARTS => Object.hasOwn(PARTS, name)
const asked = process.argv.slice(2)
if (asked[0] === 'embedded-line') {
  const { measureEmbedded } = await import('./support/line/embedded-millions.ts')
  console.log(JSON.stringify(await measureEmbedded({ few: FEW, rooms: ROOMS, many: Number(asked[1]) })))
} else {
  const unknown = asked.find((name) => !isPart(name))
  if (unknown !== undefined)
    throw new Error(`There is no part ${unknown}: choose from ${Object.keys(PARTS).join(', ')}`)
  const wanted = asked.length === 0 ? Object.keys(PARTS).filter(isPart) : asked.filter(isPart)
  const lines: string[] = []
  for (const part of wanted) lines.push(...(await PARTS[part]()), '')
  console.log(lines.join('\n'))
  if (asked.length === 0) writeSection('Ten million', [...lines, NOTES])
}

async function redis(): Promise<string[]> {
  const store = await startRedis()
  try {
    const points = await onRedisLine(store, async (line) => {
      const meter = {
        microseconds: () => processorMicroseconds(store.port),
        bytes: () => usedMemoryBytes(store.port),
      }
      // Scripts are loaded, and Redis has met them.
      await measureMillions(line, meter, FEW)
      return [await measureOften(line, meter, FEW, ROOMS), await measureMillions(line, meter, MANY)]
    })
    return ['Redis, one room:', '', ...table(points)]
  } finally {
    await store.discard()
  }
}

/** In a process of its own, whose memory is nothing but the line. */
async function embedded(): Promise<string[]> {
  const args = ['--max-old-space-size=8192', import.meta.filename, 'embedded-line', String(MANY_EMBEDDED)]
  const points = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as MillionsPoint[]
  return ['Embedded, in memory:', '', ...table(points)]
}

async function rebuild(): Promise<string[]> {
  const { seconds, peakBytes } = await measureRebuild(MANY)
  const perSecond = Math.round(MANY / seconds).toLocaleString('en')
  return [
    `A server loaded ${MANY.toLocaleString('en')} waiting visitors from PostgreSQL into an empty Redis in ${seconds.toFixed(0)} s`,
    `(${perSecond} a second), and never had more than ${(peakBytes / 2 ** 20).toFixed(0)} MB of memory.`,
  ]
}

function table([few, many]: readonly MillionsPoint[]): string[] {
  if (few === undefined || many === undefined) throw new Error('Two lengths are compared')
  const row = (name: string, of: (point: MillionsPoint) => number, bar: number | null): string => {
    const [a, b] = [of(few), of(many)]
    const judged = bar === null ? '' : `${b / a <= bar ? 'yes' : 'no'} (≤ ${bar})`
    return `| ${name} | ${figure(a)} | ${figure(b)} | ${(b / a).toFixed(2)} | ${judged} |`
  }
  return [
    `| | ${few.waiting.toLocaleString('en')} waiting | ${many.waiting.toLocaleString('en')} waiting | ratio | bar |`,
    '| --- | --- | --- | --- | --- |',
    row('a join, µs', ({ join }) => join, BARS.join),
    row('an exact look, µs', ({ look }) => look, BARS.look),
    row('the *now* document, µs', ({ now }) => now, null),
    row('a sweep without absentees, µs', ({ idleSweep }) => idleSweep, null),
    row('marking one absentee away, µs', ({ absentee }) => absentee, null),
    row('admitting one visitor, µs', ({ admission }) => admission, null),
    `| bytes for each visitor | | ${figure(many.bytesEach)} | | |`,
    `| loading the line, s | | ${figure(many.loadSeconds)} | | |`,
  ]
}

function figure(value: number): string {
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en')
}

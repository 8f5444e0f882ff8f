import { startRedis } from '@seatwise/testbench'
import { type GrowthPoint, measureGrowth } from './support/line/measure-growth.ts'
import { measureServers, type ServersPoint } from './support/line/measure-servers.ts'
import { writeSection } from './support/results.ts'

/*
 * node bench/scaling.ts [growth] [servers]
 *
 * What changes when a line grows from a thousand to a million, and what one, two and three servers do together. Without
 * arguments it measures both, in about two minutes, and writes the curves to RESULTS.md.
 */

const PARTS = { growth, servers } as const
const BAR_CELLS = 40
const NOTES = `A join, an exact look and the document that everybody reads are measured by the time their scripts keep Redis busy. Servers,
their stores and the driver share the cores of this machine: more servers than cores show what coordination costs, not what more
machines would bring.`

const isPart = (name: string): name is keyof typeof PARTS => Object.hasOwn(PARTS, name)
const asked = process.argv.slice(2)
const unknown = asked.find((name) => !isPart(name))
if (unknown !== undefined) throw new Error(`There is no part ${unknown}: choose from ${Object.keys(PARTS).join(', ')}`)
const wanted = asked.length === 0 ? Object.keys(PARTS).filter(isPart) : asked.filter(isPart)

const lines: string[] = []
for (const part of wanted) lines.push(...(await PARTS[part]()), '')
console.log(lines.join('\n'))
if (asked.length === 0) writeSection('Scaling', [...lines, NOTES])

async function growth(): Promise<string[]> {
  const redis = await startRedis()
  try {
    const points = await measureGrowth(redis)
    const rows = points.map(({ waiting, join, look, now, bytesEach }) =>
      [waiting.toLocaleString('en'), micro(join), micro(look), micro(now), bytesEach.toFixed(0)].join(' | '),
    )
    return [
      '| waiting | a join, µs | an exact look, µs | the now document, µs | bytes each |',
      '| --- | --- | --- | --- | --- |',
      ...rows.map((row) => `| ${row} |`),
      '',
      ...curve('a join, µs', points, ({ waiting }) => waiting.toLocaleString('en'), growthOf('join')),
      '',
      ...curve('an exact look, µs', points, ({ waiting }) => waiting.toLocaleString('en'), growthOf('look')),
    ]
  } finally {
    await redis.discard()
  }
}

async function servers(): Promise<string[]> {
  const points = await measureServers()
  const name = ({ servers: count }: ServersPoint): string => `${count} ${count === 1 ? 'server' : 'servers'}`
  return [
    '| servers | joins/s | polls/s | cores kept busy while people joined |',
    '| --- | --- | --- | --- |',
    ...points.map(
      (point) =>
        `| ${point.servers} | ${whole(point.joinsPerSecond)} | ${whole(point.pollsPerSecond)} | ${point.cores} |`,
    ),
    '',
    ...curve('joins/s', points, name, ({ joinsPerSecond }) => joinsPerSecond),
    '',
    ...curve('polls/s', points, name, ({ pollsPerSecond }) => pollsPerSecond),
  ]
}

/** A bar for each point, as text: it can be read wherever the file can. */
function curve<Point>(
  title: string,
  points: readonly Point[],
  nameOf: (point: Point) => string,
  figureOf: (point: Point) => number,
): string[] {
  const most = Math.max(...points.map(figureOf))
  const width = Math.max(...points.map((point) => nameOf(point).length))
  const bars = points.map((point) => {
    const value = figureOf(point)
    const shown = value < 100 ? value.toFixed(1) : whole(value)
    return `${nameOf(point).padStart(width)} ${'█'.repeat(Math.round((value / most) * BAR_CELLS))} ${shown}`
  })
  return ['```', title, ...bars, '```']
}

function growthOf(field: 'join' | 'look'): (point: GrowthPoint) => number {
  return (point) => point[field]
}

function micro(value: number): string {
  return value.toFixed(1)
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

import { startRedis } from '@seatwise/testbench'
import { type GrowthPoint, measureGrowth } from './support/line/measure-growth.ts'
import { measureHeld } from './support/line/measure-held.ts'
import { measureTeams, type TeamFigures } from './support/line/measure-servers.ts'
import { writeSection } from './support/results.ts'
import { type Spread, spreadTable } from './support/spread.ts'
import { median } from './support/statistics.ts'

/*
 * node bench/scaling.ts [growth] [servers] [held]
 *
 * What changes when a line grows from a thousand to a million, what one, two and three servers and two workers do together,
 * and how many visitors one process holds. Without arguments it measures all, in about five minutes, and writes RESULTS.md.
 */

const PARTS = { growth, servers, held } as const
const BAR_CELLS = 40
const NOTES = `A join, an exact look and the *now* document are measured by the time their scripts keep Redis busy. Servers,
their stores and the driver share the cores of this machine: more servers than cores show what coordination costs, not what more
machines would bring. They are measured in turns, each team on stores of its own; ratios are taken within a round, and processor time is
that of servers and stores until they are idle again. What a process holds is the pause that it asks for, divided by its processor time
for a poll; the polls are of 250,000 visitors among a million, more than it keeps verified tokens of.`

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
  const teams = await measureTeams()
  return [
    '| servers | joins/s | polls/s | a join, µs | a poll, µs |',
    '| --- | --- | --- | --- | --- |',
    ...teams.map(
      (team) =>
        `| ${team.name} | ${whole(median(team.joins))} | ${whole(median(team.polls))} | ${micro(median(team.joinMicros))} | ${micro(median(team.pollMicros))} |`,
    ),
    '',
    ...spreadTable(comparedWithOne(teams)),
  ]
}

/** Ratios within a round: rates as they are, processor time the other way round, so that more is always better. */
function comparedWithOne(teams: readonly TeamFigures[]): Spread[] {
  const [one, two, , workers] = teams
  if (one === undefined || two === undefined || workers === undefined) throw new Error('A team is missing')
  const ratio = (above: readonly number[], below: readonly number[]): number[] =>
    above.map((value, round) => value / (below[round] ?? Number.NaN))
  const row = (what: string, values: number[], atLeast?: number): Spread => ({
    ...{ what, values, digits: 2 },
    ...(atLeast === undefined ? {} : { atLeast }),
  })
  return [
    row('joins/s, two servers ÷ one', ratio(two.joins, one.joins)),
    row('polls/s, two servers ÷ one', ratio(two.polls, one.polls), 0.9),
    row('joins/s, two workers ÷ one', ratio(workers.joins, one.joins), 1),
    row('polls/s, two workers ÷ one', ratio(workers.polls, one.polls), 1),
    row('processor time of a join, one ÷ two workers', ratio(one.joinMicros, workers.joinMicros), 0.9),
    row('processor time of a poll, one ÷ two workers', ratio(one.pollMicros, workers.pollMicros), 0.9),
  ]
}

async function held(): Promise<string[]> {
  const { waiting, pollAfterMs, serverMicros, redisMicros, serverMegabytes } = await measureHeld()
  return [
    `${whole(waiting)} visitors with names wait, and are told to ask again after ${whole(pollAfterMs)} ms; the server process takes ${whole(serverMegabytes)} MB.`,
    '',
    ...spreadTable([
      { what: 'a poll among a million, server, µs', values: serverMicros, digits: 1 },
      { what: 'a poll among a million, Redis, µs', values: redisMicros, digits: 1 },
      {
        ...{ what: 'visitors that one server process holds', atLeast: 1_000_000 },
        values: serverMicros.map((micros) => (pollAfterMs * 1_000) / micros),
      },
    ]),
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

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  removeFolder,
  type Server,
  startChild,
  startPostgres,
  startRedis,
  startServer,
  temporaryFolder,
} from '@seatwise/testbench'
import { writeSection } from './support/results.ts'
import { SECRET } from './support/sale.ts'
import { atLeast, atMost, type Row, tableOf, told } from './support/table.ts'

/*
 * node bench/rehearsal.ts [embedded] [distributed]
 *
 * Rehearses a sale with churn, as an operator would, on a server of its own and on one with Redis and PostgreSQL: whether
 * it sells out exactly, whether every invariant held, how long joining took, and how far estimates were off. Without
 * arguments it does both, in less than five minutes, and keeps the table.
 */

const VISITORS = 20_000
const SEATS = 3_000
const SEED = 7
const SECONDS_MAX = 120
const PARTS = { embedded, distributed } as const
const NOTES = `${VISITORS.toLocaleString('en')} visitors, seven of ten within six seconds, ${SEATS.toLocaleString('en')} seats; one in five goes away, some vanish, pay slowly, have
two tabs or are bots. The crowd, the server and its stores share the cores. Estimates are judged as \`seatwise verify\` does.`

interface Report {
  readonly sold: number
  readonly oversold: number
  readonly violations: number
  readonly joins: { readonly p99: number | null; readonly peakPerSecond: number }
  readonly eta: { readonly medianError: number | null; readonly judged: number; readonly withinP90: number | null }
}

const isPart = (name: string): name is keyof typeof PARTS => Object.hasOwn(PARTS, name)
const asked = process.argv.slice(2)
const unknown = asked.find((name) => !isPart(name))
if (unknown !== undefined) throw new Error(`There is no part ${unknown}: choose from ${Object.keys(PARTS).join(', ')}`)
const wanted = asked.length === 0 ? Object.keys(PARTS).filter(isPart) : asked.filter(isPart)

const rows: Row[] = []
for (const part of wanted) rows.push(...rowsOf(part, await PARTS[part]()))
const table = tableOf(rows)
console.log(table.join('\n'))
if (asked.length === 0) writeSection('Rehearsal', [...table, '', NOTES])
if (rows.some(({ isMet }) => !isMet)) process.exitCode = 1

async function embedded(): Promise<Report> {
  const capacity = SEATS / 10
  return await rehearse(['--seats', String(SEATS), '--capacity', String(capacity), '--rate', String(capacity * 30)], {})
}

async function distributed(): Promise<Report> {
  await using stack = new AsyncDisposableStack()
  const postgres = await startPostgres({ durable: true, settings: { shared_buffers: '512MB' } })
  stack.defer(() => postgres.discard())
  const redis = await startRedis()
  stack.defer(() => redis.discard())
  const env = { SEATWISE_SECRET: SECRET.toString('base64') }
  const stores = { databaseUrl: postgres.url, redisUrl: redis.url }
  const server = await startServer({ mode: 'distributed', ...stores, env })
  stack.defer(() => server.discard())
  const settings = { ...env, DATABASE_URL: postgres.url, REDIS_URL: redis.url }
  return await rehearse(['--url', server.url, '--event', await openSale(server)], settings)
}

async function rehearse(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Report> {
  const folder = await temporaryFolder()
  try {
    const command = join(import.meta.dirname, '../packages/cli/bin/seatwise.mjs')
    const common = ['--visitors', VISITORS, '--seed', SEED, '--timeout', SECONDS_MAX, '--report', folder].map(String)
    const child = await startChild('rehearsal', process.execPath, [command, 'rehearse', ...common, ...args], { env })
    const { code } = await child.exited
    if (code === null || code > 1) throw new Error(`The rehearsal broke off; it printed:\n${child.output()}`)
    console.log(child.output().split('\n').slice(-30).join('\n'))
    // The command wrote it, and its fields are documented.
    return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report
  } finally {
    await removeFolder(folder)
  }
}

function rowsOf(where: string, { sold, oversold, violations, joins, eta }: Report): Row[] {
  const judged = `${eta.judged.toLocaleString('en')} estimates`
  return [
    atLeast(SEATS, { what: `${where}: seats sold, none of them twice`, figure: oversold === 0 ? sold : 0, digits: 0 }),
    atMost(0, { what: `${where}: times that an invariant was broken`, figure: violations, digits: 0 }),
    atMost(2_000, {
      what: `${where}: joining, p99 in ms`,
      measured: `at most ${joins.peakPerSecond.toLocaleString('en')} joins/s`,
      figure: joins.p99 ?? Number.NaN,
      digits: 0,
    }),
    atMost(0.15, {
      what: `${where}: error of estimates, median`,
      measured: judged,
      figure: eta.medianError ?? Number.NaN,
    }),
    told({ what: `${where}: waited no longer than the P90 they were told`, figure: eta.withinP90 ?? Number.NaN }),
  ]
}

/** The same sale as the rehearsal opens for itself. */
async function openSale(server: Server): Promise<string> {
  const capacity = SEATS / 10
  const answer = await fetch(`${server.url}/api/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await server.adminToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Opening night',
      totalSeats: SEATS,
      salesStartAt: '2020-01-01T00:00:00Z',
      salesEndAt: '2100-01-01T00:00:00Z',
      room: {
        ...{ capacity, ratePerMinute: capacity * 30, burst: capacity / 4, maxWaiting: VISITORS * 2 },
        ...{
          claimSeconds: 15,
          sessionSeconds: 60,
          reservationSeconds: 30,
          heartbeatTimeoutSeconds: 60,
          graceSeconds: 30,
        },
      },
    }),
  })
  const { id } = (await answer.json()) as { id?: string }
  if (id === undefined) throw new Error(`No event was made: ${answer.status}`)
  return id
}

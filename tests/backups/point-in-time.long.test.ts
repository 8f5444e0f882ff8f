import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import {
  findBinary,
  type Postgres,
  type Redis,
  removeFolder,
  SECRET,
  type Server,
  seatwiseProgram,
  startChild,
  startPostgres,
  startPostgresOn,
  startRedis,
  startServer,
  temporaryFolder,
  unprivilegedUser,
  waitUntil,
} from '@seatwise/testbench'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { http, openSale, type SaleOfShop, send } from '../crash/shop.ts'
import { Buyers } from '../upgrade/buyers.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/backups.md'), 'utf8')
const user = unprivilegedUser()

let folder: string
let redis: Redis
let postgres: Postgres
let server: Server
let sale: SaleOfShop
let buyers: Buyers
/** What was acknowledged before the moment, and after it. */
let before: readonly string[]
let after: readonly string[]
let moment: string
let waiting: { token: string; place: unknown }
const running = new Set<Server>()

beforeAll(async () => {
  folder = await temporaryFolder(user)
  mkdirSync(join(folder, 'archive'))
  if (user !== undefined) await chown(join(folder, 'archive'), user.uid, user.gid)
  ;[redis, postgres] = await Promise.all([
    startRedis(),
    startPostgres({ durable: true, settings: published('archive_') }),
  ])
  server = await start(postgres)
  sale = await openSale(server, 2_000)
}, 120_000)
afterAll(async () => {
  await buyers?.stop()
  for (const one of running) await one.discard()
  await postgres?.discard()
  await redis?.discard()
  await http.close()
  await removeFolder(folder)
})

/** The settings of the guide that begin like this, in this test's folder. */
function published(prefix: string): Record<string, string> {
  const lines = guide.matchAll(new RegExp(`^ *(${prefix}\\w+) = '?(.+?)'?$`, 'gm'))
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, inFolder(value)]))
}

const inFolder = (text: string): string => text.replaceAll(/\/(?=archive|backups)/g, `${folder}/`)

async function start({ url: databaseUrl }: Postgres): Promise<Server> {
  const started = await startServer({ mode: 'distributed', databaseUrl, redisUrl: redis.url })
  running.add(started)
  return started
}

async function query(on: Postgres, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: on.url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function seatwise(...args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const env = { PATH: process.env.PATH, DATABASE_URL: postgres.url, REDIS_URL: redis.url, SEATWISE_SECRET: SECRET }
  const command = [...(await seatwiseProgram()), ...args]
  const child = await startChild(`seatwise ${args[0]}`, process.execPath, command, { env })
  const { code } = await child.exited
  return { code, output: child.output() }
}

/** A command of the guide, with where this test's server is. */
async function asInGuide(program: string, ...more: readonly string[]): Promise<void> {
  const line = new RegExp(`^${program} (.+)$`, 'm').exec(guide)?.[1] ?? ''
  expect(line).not.toBe('')
  const args = [...inFolder(line).split(' '), ...more]
  const child = await startChild(program, findBinary(program, 'PostgreSQL'), args, { user, cwd: folder })
  const { code } = await child.exited
  expect([code, child.output()]).toEqual([0, expect.anything()])
}

it('[Y13] a base backup is taken while buyers buy, and the log is archived', async () => {
  const paused = await send(server, 'POST', `/api/events/${sale.eventId}/queue/join`, {}, {})
  waiting = { token: String(paused.body.ticketToken), place: paused.body.place }
  buyers = new Buyers(sale, [server])
  await buyers.goOnWith(server)
  const during = buyers.bought.length
  await asInGuide('pg_basebackup', '--dbname', postgres.url)
  await asInGuide('pg_verifybackup')
  await buyers.goOnWith(server)
  expect(buyers.bought.length).toBeGreaterThan(during)

  before = [...buyers.bought]
  const [row] = await query(postgres, 'select clock_timestamp()::text as now')
  moment = String(row?.now)
  const atMoment = buyers.bought.length
  await buyers.goOnWith(server)
  await buyers.stop()
  expect(buyers.failures).toEqual([])
  // Those whose answers arrived while the moment was read lie on either side.
  after = buyers.bought.slice(atMoment + 6)
  expect(after.length).toBeGreaterThan(0)
}, 180_000)

it('[Y13] the moment before a mistake comes back, with everything that was paid until then', async () => {
  // The mistake: all sales are gone, and so is the machine.
  await query(postgres, 'truncate reservations cascade')
  const [segment] = await query(postgres, 'select pg_walfile_name(pg_switch_wal()) as name')
  await waitUntil('the log is archived', async () => {
    const [row] = await query(postgres, 'select last_archived_wal as name from pg_stat_archiver')
    return String(row?.name) >= String(segment?.name)
  })
  const refused = await seatwise('restore', '--database')
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('stop all Seatwise servers')])
  await server.discard()
  running.delete(server)
  await postgres.discard()

  const place = join(folder, 'restored')
  mkdirSync(place)
  cpSync(join(folder, 'backups/base'), join(place, 'data'), { recursive: true })
  const recovery = { ...published('restore_'), ...published('recovery_'), recovery_target_time: moment }
  const lines = Object.entries(recovery).map(([name, value]) => `${name} = '${value}'\n`)
  expect(lines).toHaveLength(3)
  appendFileSync(join(place, 'data/postgresql.conf'), lines.join(''))
  writeFileSync(join(place, 'data/recovery.signal'), '')
  await giveToUser(place)
  postgres = await startPostgresOn(place)
  await waitUntil('it is recovered', async () => {
    const [row] = await query(postgres, 'select pg_is_in_recovery() as recovers')
    return row?.recovers === false
  })

  const paid = new Set((await query(postgres, "select id from reservations where status = 'PAID'")).map(({ id }) => id))
  expect(before.filter((id) => !paid.has(id))).toEqual([])
  expect(after.filter((id) => paid.has(id))).toEqual([])
}, 120_000)

it('[Y13] the sale goes on in a later epoch, although Redis knows more than the ledger', async () => {
  const [room] = await query(postgres, 'select epoch from rooms')
  const { code, output } = await seatwise('restore', '--database')
  expect([code, output]).toEqual([0, expect.stringContaining('1 rooms continue in a new epoch')])
  const verified = await seatwise('verify', '--event', sale.eventId)
  expect([verified.code, verified.output]).toEqual([0, expect.stringContaining('held')])
  expect((await seatwise('reconcile')).code).toBe(0)

  server = await start(postgres)
  const queue = `/api/events/${sale.eventId}/queue`
  const { body: now } = await send(server, 'GET', `${queue}/now`, {})
  expect(Number(now.epoch)).toBeGreaterThan(Number(room?.epoch) + 1)
  const { body: status } = await send(server, 'GET', `${queue}/status`, { 'seatwise-ticket': waiting.token })
  expect(status.place).toBe(waiting.place)
  const reasons = await query(postgres, `select reason from room_epochs where epoch = ${now.epoch}`)
  expect(reasons).toEqual([{ reason: 'restored' }])
  const again = new Buyers(sale, [server])
  await again.goOnWith(server)
  await again.stop()
  expect(again.failures).toEqual([])
  const sound = await seatwise('verify', '--event', sale.eventId)
  expect([sound.code, sound.output]).toEqual([0, expect.stringContaining('held')])
}, 120_000)

async function giveToUser(place: string): Promise<void> {
  if (user === undefined) return
  const child = await startChild('chown', findBinary('chown', 'coreutils'), ['-R', `${user.uid}:${user.gid}`, place])
  expect((await child.exited).code).toBe(0)
}

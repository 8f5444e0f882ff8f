import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Child,
  type PostgresDatabase,
  postgresDatabase,
  redisUrl,
  removeFolder,
  SECRET,
  type Server,
  seatwiseProgram,
  startChild,
  startServer,
  temporaryFolder,
  waitUntil,
} from '@seatwise/testbench'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { http, openSale, reserve, type SaleOfShop, send } from '../crash/shop.ts'

let folder: string
let data: string
let database: PostgresDatabase
let sale: SaleOfShop
const servers: Server[] = []
/** What visitors hold from before the move. */
const held: { token: string; place: unknown; position: unknown }[] = []
let buyer: { authorization: string; paid: string; pending: string }

beforeAll(async () => {
  folder = await temporaryFolder()
  data = join(folder, 'data')
  const [embedded, made] = await Promise.all([startServer({ mode: 'embedded', dataDir: data }), postgresDatabase()])
  database = made
  servers.push(embedded)
  sale = await openSale(embedded)
  buyer = await buyOne(embedded)
  const queue = `/api/events/${sale.eventId}/queue`
  const authorization = `Bearer ${await embedded.adminToken()}`
  await send(embedded, 'PATCH', `/api/events/${sale.eventId}/room`, { authorization }, { paused: true })
  for (let index = 0; index < 5; index += 1) {
    const { body } = await send(embedded, 'POST', `${queue}/join`, {}, { name: `Visitor ${index}` })
    held.push({ token: String(body.ticketToken), place: body.place, position: body.position })
  }
}, 90_000)
afterAll(async () => {
  for (const server of servers) await server.discard()
  await database?.drop()
  await http.close()
  await removeFolder(folder)
})

/** One purchase, and a reservation that is still to be paid. */
async function buyOne(server: Server): Promise<typeof buyer> {
  const register = (name: string) =>
    send(server, 'POST', '/api/auth/register', {}, { email: `${name}@example.com`, password: 'a long password', name })
  const { body } = await register('ada')
  const authorization = `Bearer ${body.accessToken}`
  const paid = await reserve(server, sale, authorization)
  const order = { reservationId: paid, paymentMethod: 'sandbox_ok' }
  const key = { 'idempotency-key': randomUUID() }
  const answer = await send(server, 'POST', '/api/purchases', { authorization, ...key }, order)
  expect(answer.status).toBe(201)
  return { authorization, paid, pending: await reserve(server, sale, authorization) }
}

const target = () => ({ DATABASE_URL: database.url, REDIS_URL: redisUrl(), SEATWISE_SECRET: SECRET })

async function begin(args: readonly string[], env: Record<string, string>): Promise<Child> {
  const command = [...(await seatwiseProgram()), ...args]
  return await startChild(`seatwise ${args[0]}`, process.execPath, command, { env: { PATH: process.env.PATH, ...env } })
}

async function seatwise(args: readonly string[], env: Record<string, string>) {
  const child = await begin(args, env)
  const { code } = await child.exited
  return { code, output: child.output() }
}

const move = (env: Record<string, string> = {}) => seatwise(['move', data], { ...target(), ...env })

it('[Y120] a folder whose server runs is not moved, nor one to which the secret does not belong; it can be served as before', async () => {
  const running = await move()
  expect([running.code, running.output]).toEqual([1, expect.stringContaining('Stop that server first')])
  await servers[0]?.stop()
  const foreign = await move({ SEATWISE_SECRET: Buffer.alloc(32, 'another').toString('base64') })
  expect([foreign.code, foreign.output]).toEqual([1, expect.stringContaining('SEATWISE_SECRET is not the secret of')])
  expect(existsSync(join(data, 'moved.json'))).toBe(false)
}, 60_000)

it('[Y121] a move that is killed leaves nothing there and no server here, and is repeated', async () => {
  expect((await seatwise(['migrate'], target())).code).toBe(0)
  const [client, lock] = [1, 2].map(() => new Client({ connectionString: database.url })) as [Client, Client]
  await Promise.all([client.connect(), lock.connect()])
  try {
    // In the middle of its transaction it meets this lock.
    await lock.query('begin; lock table etickets in share mode')
    const child = await begin(['move', data], target())
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await waitUntil('it waits', async () => (await client.query(waiting)).rowCount === 1, { timeoutMs: 30_000 })
    await child.kill()
    await lock.end()
    await waitUntil('its transaction is gone', async () => {
      const others = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
      return (await client.query(others)).rowCount === 0
    })
    expect((await client.query('select from events')).rowCount).toBe(0)
  } finally {
    await client.end()
  }
  const refused = await seatwise(['serve'], { SEATWISE_DATA_DIR: data, PORT: '0' })
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('Run "seatwise move" again')])

  const again = await move()
  expect([again.code, again.output]).toEqual([
    0,
    expect.stringMatching(/rows of \d+ tables are there[\s\S]*Verified: 1 sales/),
  ])
}, 90_000)

it('[Y121] repeating a finished move, also one killed after its commit, does nothing; another one is refused', async () => {
  const file = join(data, 'moved.json')
  const note = JSON.parse(readFileSync(file, 'utf8'))
  expect(note.to).not.toContain('@')
  writeFileSync(file, JSON.stringify({ ...note, finishedAt: null }))
  const repeated = await move()
  expect([repeated.code, repeated.output]).toEqual([0, expect.stringContaining('It was there already.')])
  expect(JSON.parse(readFileSync(file, 'utf8')).finishedAt).not.toBeNull()
  const stale = await seatwise(['serve'], { SEATWISE_DATA_DIR: data, PORT: '0' })
  expect([stale.code, stale.output]).toEqual([1, expect.stringContaining('start with that DATABASE_URL')])

  writeFileSync(file, JSON.stringify({ ...note, id: randomUUID(), finishedAt: null }))
  const other = await move()
  expect([other.code, other.output]).toEqual([1, expect.stringContaining('holds a deployment already')])
  writeFileSync(file, JSON.stringify(note))
}, 90_000)

it('[Y120] the line goes on there: places, tokens, reservations and what was bought', async () => {
  const start = () => startServer({ mode: 'distributed', databaseUrl: database.url })
  const [one, two] = await Promise.all([start(), start()])
  servers.push(one, two)
  const queue = `/api/events/${sale.eventId}/queue`
  for (const [index, { token, place, position }] of held.entries()) {
    const server = index % 2 === 0 ? one : two
    const { body } = await waitUntil('the line is loaded', async () => {
      const answer = await send(server, 'GET', `${queue}/status`, { 'seatwise-ticket': token })
      return answer.status === 200 ? answer : null
    })
    expect(body).toMatchObject({ status: 'waiting', place, position, name: `Visitor ${index}` })
  }
  const late = await send(two, 'POST', `${queue}/join`, {}, {})
  expect(late.body).toMatchObject({ position: held.length + 1 })
  expect(Number(late.body.place)).toBeGreaterThan(Number(held.at(-1)?.place))

  const { authorization, paid, pending } = buyer
  const order = { reservationId: pending, paymentMethod: 'sandbox_ok' }
  const key = { 'idempotency-key': randomUUID() }
  const bought = await send(one, 'POST', '/api/purchases', { authorization, ...key }, order)
  expect([bought.status, bought.body.status]).toEqual([201, 'PAID'])
  const mine = await send(two, 'GET', '/api/reservations', { authorization })
  const items = mine.body.items as { id: string; status: string }[]
  expect(items.map(({ id, status }) => [id, status]).toSorted()).toEqual(
    [
      [paid, 'PAID'],
      [pending, 'PAID'],
    ].toSorted(),
  )
  const { code, output } = await seatwise(['verify', '--event', sale.eventId], target())
  expect([code, output]).toEqual([0, expect.stringContaining('held')])
}, 90_000)

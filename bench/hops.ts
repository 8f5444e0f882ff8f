import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ADMIN, removeFolder, startPostgres, startRedis, temporaryFolder } from '@seatwise/testbench'
import { joinRequest, pollRequest } from './core/requests.ts'
import { type Guest, letIn, openHouse, post, read, reserve } from './support/box-office/house.ts'
import { newAccessToken, openSale, SECRET, type Seller } from './support/box-office/sale.ts'
import { openHopCounter } from './support/count-hops.ts'
import { converse } from './support/http/converse.ts'

/*
 * node bench/hops.ts [--distributed] [--files] [--tree DIR]
 *
 * How many source files a join, a far poll, a reservation and a payment execute: the length of their journeys. Runs a
 * server in this process, embedded unless told otherwise; --files also names the files, --tree runs the server of
 * another checkout. Printed only.
 */

const RUNS = 9
/** The first requests compile validators and fill caches. */
const WARM_UP_RUNS = 3
/** Enough to be far from the head. */
const WAITING = 2_500

const { values: options } = parseArgs({
  options: { distributed: { type: 'boolean' }, files: { type: 'boolean' }, tree: { type: 'string' } },
})
const tree = resolve(options.tree ?? join(import.meta.dirname, '..'))

await using stack = new AsyncDisposableStack()
const seller = await startServer()
const conversation = await converse(new URL(seller.url))
stack.defer(() => conversation.end())
const counter = await openHopCounter(stack, tree)

type Kinds = Record<string, (() => Promise<void>)[]>

for (const [kind, requests] of Object.entries({ ...(await waiting()), ...(await buying()) })) {
  for (const request of requests.splice(0, WARM_UP_RUNS)) await request()
  const files = await counter.count(requests)
  console.log(`${kind}: ${files.length} files`)
  if (options.files === true) for (const file of files) console.log(`  ${file}`)
}

async function startServer(): Promise<Seller> {
  const folder = await temporaryFolder()
  stack.defer(() => removeFolder(folder))
  const { readConfig, serve }: typeof import('@seatwise/server') = await import(
    join(tree, 'packages/server/src/index.ts')
  )
  const server = await serve(
    readConfig({
      ...{ HOST: '127.0.0.1', PORT: '0', SEATWISE_DATA_DIR: folder, SEATWISE_SECRET: SECRET.toString('base64') },
      ...{ SEATWISE_DEMO: 'off', SEATWISE_LOG_LEVEL: 'warn', ...(await storesAsked()) },
      ...{ SEATWISE_ADMIN_EMAIL: ADMIN.email, SEATWISE_ADMIN_PASSWORD: ADMIN.password },
    }),
  )
  stack.defer(() => server.stop())
  return { url: server.url, adminToken: () => signIn(server.url) }
}

async function storesAsked(): Promise<Record<string, string>> {
  if (options.distributed !== true) return {}
  const [postgres, redis] = [await startPostgres(), await startRedis()]
  stack.defer(() => postgres.discard())
  stack.defer(() => redis.discard())
  return { DATABASE_URL: postgres.url, REDIS_URL: redis.url }
}

async function signIn(url: string): Promise<string> {
  const talk = await converse(new URL(url))
  try {
    const answer = await talk.ask(post(url, '/api/auth/login', {}, ADMIN))
    return read<{ accessToken: string }>(answer, 200).accessToken
  } finally {
    talk.end()
  }
}

/** Visitors who join and poll far from the head, so that neither makes the room admit a visitor. */
async function waiting(): Promise<Kinds> {
  const { eventId } = await openSale(seller)
  const queue = `/api/events/${eventId}/queue`
  const [join, status] = [new URL(`${queue}/join`, seller.url), new URL(`${queue}/status`, seller.url)]
  let ticket = ''
  for (let visitor = 0; visitor < WAITING; visitor += 1) {
    const answer = await conversation.ask(Buffer.from(joinRequest(join, newAccessToken())))
    ticket = read<{ ticketToken: string }>(answer, 200).ticketToken
  }
  return {
    join: times(() => expecting(200, Buffer.from(joinRequest(join, newAccessToken())))),
    'far poll': times(() => expecting(200, Buffer.from(pollRequest(status, ticket)))),
  }
}

/** Reserving, and then paying for what was reserved. */
async function buying(): Promise<Kinds> {
  const house = await openHouse(seller, RUNS + WARM_UP_RUNS)
  const guests = await letIn(house, times(newAccessToken))
  const reserved: { guest: Guest; reservationId: string }[] = []
  const reservation = guests.map((guest, index) => {
    const request = reserve(house, guest, String(house.seatIds[index]))
    return async () => {
      const { id: reservationId } = read<{ id: string }>(await conversation.ask(request), 201)
      reserved.push({ guest, reservationId })
    }
  })
  const payment = guests.map((_guest, index) => async () => {
    const { guest, reservationId } = reserved[index] ?? {}
    if (guest === undefined) throw new Error('Nothing was reserved')
    const headers = { authorization: `Bearer ${guest.accessToken}`, 'idempotency-key': randomUUID() }
    const body = { reservationId, paymentMethod: 'sandbox_ok' }
    read(await conversation.ask(post(seller.url, '/api/purchases', headers, body)), 201)
  })
  return { reservation, payment }
}

function expecting(status: number, request: Buffer): () => Promise<void> {
  return async () => void read(await conversation.ask(request), status)
}

function times<Item>(make: () => Item): Item[] {
  return Array.from({ length: RUNS + WARM_UP_RUNS }, make)
}

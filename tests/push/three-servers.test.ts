import { randomInt, randomUUID } from 'node:crypto'
import { postgresDatabase, type Redis, type Server, startRedis, startServer, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { call, PushSale, type Ticket } from './push-world.ts'

/** How long clients of ours wait at most before they connect again, at first. */
const RECONNECT_MS = 4_000
const SOCKETS = 2_000

interface Heard {
  readonly type: string
  readonly [field: string]: unknown
}

let servers: Server[] = []
let redis: Redis
let database: Awaited<ReturnType<typeof postgresDatabase>>
const open: WebSocket[] = []
/** From then on no client that is cut off connects again. */
let isOver = false

beforeAll(async () => {
  redis = await startRedis()
  database = await postgresDatabase()
  const shared = { mode: 'distributed', databaseUrl: database.url, redisUrl: redis.url } as const
  // The first brings the schema up.
  servers = [await startServer(shared)]
  servers.push(...(await Promise.all([startServer(shared), startServer(shared)])))
})
afterAll(async () => {
  isOver = true
  for (const socket of open) socket.terminate()
  for (const server of servers) await server.discard()
  await database?.drop()
  await redis?.discard()
})

it('[U12] [U13] [U10] what happens on one server is heard on another', async () => {
  const [first, second, third] = servers as [Server, Server, Server]
  const room = { capacity: 10, claimSeconds: 0, reservationSeconds: 60 }
  const sale = await PushSale.open([first, second, third], room, { totalSeats: 5 })
  const ada = await sale.join()
  const bob = await sale.join()
  const [own, other, watcher] = [
    await listen(sale, second, ada),
    await listen(sale, third, bob),
    await listen(sale, first),
  ]
  await waitUntil('all viewers are counted', () => watcher.at(-1, 'OCCUPANCY')?.viewers === 3)
  const seats = await call(`${third.url}/api/events/${sale.eventId}/seats`, 'GET', {})
  const buy = async (): Promise<string> => {
    const { activeToken } = await sale.status(ada, third)
    const proof = { authorization: `Bearer ${ada.accessToken}`, 'idempotency-key': randomUUID() }
    const [type] = (await call(`${first.url}/api/events/${sale.eventId}`, 'GET', {})).seatTypes as { id: string }[]
    const wish = { seatTypeId: type?.id, quantity: 1 }
    const headers = { ...proof, 'seatwise-pass': String(activeToken) }
    const { id } = await sale.ask(third, 'POST', '/reservations', headers, wish)
    return String(id)
  }
  const canceled = await buy()
  await own.hear('RESERVATION_CREATED', ({ reservation }) => idOf(reservation) === canceled)
  await call(`${first.url}/api/reservations/${canceled}`, 'DELETE', { authorization: `Bearer ${ada.accessToken}` })
  await own.hear('RESERVATION_CANCELED', ({ reservation }) => idOf(reservation) === canceled)
  const reservationId = await buy()
  await own.hear('RESERVATION_CREATED', ({ reservation }) => idOf(reservation) === reservationId)
  const email = { email: 'ada@example.com' }
  const owner = { authorization: `Bearer ${ada.accessToken}` }
  await call(`${first.url}/api/reservations/${reservationId}`, 'PATCH', owner, email)
  const payment = { ...owner, 'idempotency-key': randomUUID() }
  await call(`${first.url}/api/purchases`, 'POST', payment, { reservationId, paymentMethod: 'sandbox_ok' })
  await own.hear('UNSUBSCRIBED')
  const ofTicket = own.heard.filter(({ channel }) => channel === sale.privateChannel(ada))
  expect(ofTicket.map(({ type }) => type).slice(-3)).toEqual(['PAYMENT_SUCCESS', 'ENDED', 'UNSUBSCRIBED'])
  for (const ear of [other, watcher]) {
    expect(ear.heard.filter(({ type }) => /^(RESERVATION|PAYMENT)_/.test(type))).toEqual([])
  }
  // A client that loaded the map before has the current map by applying what came since.
  const map = new Map((seats.seats as { id: string; status: string }[]).map(({ id, status }) => [id, status]))
  await waitUntil('the sale of the seat is heard', () => {
    for (const { version, changes } of watcher.heard.filter(({ type }) => type === 'SEATS')) {
      if (Number(version) <= Number(seats.version)) continue
      for (const { id, status } of changes as { id: string; status: string }[]) map.set(id, status)
    }
    return [...map.values()].filter((status) => status === 'sold').length === 1
  })
  const now = await call(`${second.url}/api/events/${sale.eventId}/seats`, 'GET', {})
  const asLoaded = new Map((now.seats as { id: string; status: string }[]).map(({ id, status }) => [id, status]))
  expect(map).toEqual(asLoaded)
})

it('[U27] when a server dies, its 2,000 clients are back within 30 s, spread out, and no visitor has lost a place', async () => {
  const [first, second, third] = servers as [Server, Server, Server]
  const sale = await PushSale.open([second, first, third], { paused: true, heartbeatTimeoutSeconds: 600 })
  const tickets: Ticket[] = []
  for (let from = 0; from < SOCKETS; from += 100) {
    tickets.push(...(await Promise.all([...Array(100).keys()].map(() => sale.join()))))
  }
  const before = tickets.map(({ rank }) => rank)
  let listening = 0
  const backAt: number[] = []
  let diedAt = 0
  const stay = (ticket: Ticket, server: Server): void => {
    if (isOver) return
    const socket = subscribe(sale, server, ticket)
    let isSubscribed = false
    socket.on('message', (data) => {
      if (isSubscribed || !String(data).includes('"SUBSCRIBED"')) return
      isSubscribed = true
      listening += 1
      if (diedAt > 0) backAt.push(performance.now() - diedAt)
    })
    socket.once('close', () => {
      if (isSubscribed) listening -= 1
      const elsewhere = [second, third][randomInt(2)] ?? second
      setTimeout(() => stay(ticket, elsewhere), randomInt(RECONNECT_MS)).unref()
    })
  }
  for (let from = 0; from < SOCKETS; from += 200) {
    for (const ticket of tickets.slice(from, from + 200)) stay(ticket, first)
    await waitUntil('all of them listen', () => listening === from + 200, { timeoutMs: 30_000 })
  }
  diedAt = performance.now()
  await first.kill()
  await waitUntil('all are back', () => backAt.length === SOCKETS && listening === SOCKETS, { timeoutMs: 30_000 })
  const halfSeconds = Map.groupBy(backAt, (ms) => Math.floor(ms / 500))
  expect(halfSeconds.size).toBeGreaterThan(4)
  expect(Math.max(...[...halfSeconds.values()].map(({ length }) => length))).toBeLessThan(SOCKETS / 2)
  for (let from = 0; from < SOCKETS; from += 250) {
    const now = await Promise.all(tickets.slice(from, from + 25).map((ticket) => sale.status(ticket, second)))
    expect(now.map(({ status }) => status)).toEqual(Array(25).fill('waiting'))
    expect(now.map(({ rank, exact }, index) => (exact === true ? rank : before[from + index]))).toEqual(
      before.slice(from, from + 25),
    )
  }
  expect(await call(`${third.url}/api/events/${sale.eventId}/queue/now`, 'GET', {})).toMatchObject({ waiting: SOCKETS })
})

class Ear {
  readonly heard: Heard[] = []

  at(index: number, type: string): Heard | undefined {
    return this.heard.filter((message) => message.type === type).at(index)
  }

  async hear(type: string, fits: (message: Heard) => boolean = () => true): Promise<Heard> {
    return await waitUntil(`${type} is heard`, () =>
      this.heard.find((message) => message.type === type && fits(message)),
    )
  }
}

async function listen(sale: PushSale, server: Server, ticket?: Ticket): Promise<Ear> {
  const ear = new Ear()
  subscribe(sale, server, ticket).on('message', (data) => ear.heard.push(JSON.parse(String(data))))
  await ear.hear('SUBSCRIBED')
  return ear
}

function subscribe(sale: PushSale, server: Server, ticket?: Ticket): WebSocket {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/realtime`, { perMessageDeflate: false })
  open.push(socket)
  const channels = [sale.publicChannel, ...(ticket === undefined ? [] : [sale.privateChannel(ticket)])]
  const ticketToken = ticket === undefined ? {} : { ticketToken: ticket.ticketToken }
  socket.on('open', () => socket.send(JSON.stringify({ type: 'subscribe', channels, ...ticketToken })))
  socket.on('error', () => undefined)
  return socket
}

function idOf(reservation: unknown): string {
  return (reservation as { id: string }).id
}

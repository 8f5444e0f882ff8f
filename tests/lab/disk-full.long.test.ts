import { answersPing, startPostgres, startRedis, startServer, waitUntil } from '@seatwise/testbench'
import { afterEach, expect, test } from 'vitest'
import { Buyer } from '../box-office/buyer.ts'
import { houseOf, openMarket, readSeats } from '../box-office/market.ts'
import { openRoom } from '../sale-under-test/start-sale.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

const ROOM = {
  ...{
    capacity: 50,
    ratePerMinute: 60_000,
    burst: 50,
    claimSeconds: 120,
    sessionSeconds: 120,
    reservationSeconds: 120,
  },
}
const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

test('[F7] the disk of the ledger is full: claims are refused, what is sold stays sold, and it goes on by itself', {
  timeout: 180_000,
}, async () => {
  const disk = await smallDisk(300)
  const postgres = await disk.hold(() => startPostgres({ durable: true, settings: { max_wal_size: '64MB' } }))
  undo.push(() => postgres.discard())
  const redis = await startRedis()
  undo.push(() => redis.discard())
  const { room, server, market } = await openSale(postgres.url, redis.url)
  const first = new Buyer(market, 'before', 'stays')
  expect(await first.go()).toBe('bought')
  disk.fill()
  const late = room.visitor('while it is full')
  await late.join()
  expect(await firstRefusal(server.url, room.eventId, late)).toMatch(/^503 /)
  disk.empty()
  expect(await new Buyer(market, 'after', 'stays').go()).toBe('bought')
  const sold = (await readSeats(server, room.eventId)).filter(({ status }) => status === 'sold')
  expect(sold).toHaveLength(2)
})

test('[F7] the disk of Redis is full: joining is refused, and goes on by itself', { timeout: 180_000 }, async () => {
  const disk = await smallDisk(16)
  const redis = await disk.hold(() => startRedis({ durable: true }))
  undo.push(() => redis.discard())
  const postgres = await startPostgres()
  undo.push(() => postgres.discard())
  const { room, server } = await openSale(postgres.url, redis.url)
  await room.visitor('before').join()
  disk.fill()
  const join = async (name: string) => {
    const headers = { authorization: `Bearer ${room.visitor(name).accessToken}` }
    const url = `${server.url}/api/events/${room.eventId}/queue/join`
    return (await room.http.send({ method: 'POST', url, headers, body: {} })).status
  }
  await waitUntil('joining is refused', async () => (await join('while it is full')) === 503, { timeoutMs: 60_000 })
  disk.empty()
  // With appendfsync always Redis gives up on a full disk, and somebody has to start it again.
  if (!(await isUp(redis.port))) await redis.restart('kept')
  await waitUntil('joining works', async () => (await join('after')) === 200, { timeoutMs: 60_000 })
})

async function openSale(databaseUrl: string, redisUrl: string) {
  const server = await startServer({ mode: 'distributed', databaseUrl, redisUrl })
  undo.push(() => server.discard())
  const steps: (() => Promise<unknown>)[] = []
  undo.push(async () => {
    for (const step of steps.reverse()) await step()
  })
  const room = await openRoom([server], { seed: 1, undo: steps, room: ROOM, event: houseOf(10, 10) })
  return { server, room, market: await openMarket([server], room, 60_000) }
}

type Visitor = ReturnType<Awaited<ReturnType<typeof openRoom>>['visitor']>

/** Asks for a seat until the full disk shows. */
async function firstRefusal(url: string, eventId: string, visitor: Visitor): Promise<string> {
  await waitUntil('it is their turn', async () => (await visitor.look()).status !== 'waiting')
  await visitor.claim()
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const answer = await fetch(`${url}/api/events/${eventId}/reservations`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${visitor.accessToken}`, 'seatwise-pass': visitor.pass ?? '' },
        ...{ 'idempotency-key': `attempt-${attempt}`, 'content-type': 'application/json' },
      },
      body: JSON.stringify({ seatTypeId: await anySeatType(url, eventId), quantity: 1 }),
    })
    const { code } = (await answer.json()) as { code?: string }
    if (answer.status !== 201) return `${answer.status} ${code}`
  }
  return 'never refused'
}

async function anySeatType(url: string, eventId: string): Promise<string> {
  const event = (await (await fetch(`${url}/api/events/${eventId}`)).json()) as { seatTypes: { id: string }[] }
  return event.seatTypes[0]?.id ?? ''
}

async function isUp(port: number): Promise<boolean> {
  return await answersPing(port).catch(() => false)
}

async function smallDisk(megabytes: number): Promise<SmallDisk> {
  const disk = await mountSmallDisk(megabytes)
  undo.push(() => disk.unmount())
  return disk
}

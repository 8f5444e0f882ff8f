import { createHash, createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { faultPointsOf } from '@seatwise/domain'
import { type Server, seededRandom, waitUntil } from '@seatwise/testbench'
import { Client } from 'pg'
import { openSale } from '../box-office/sale.ts'
import { joinPatiently } from '../line/join-patiently.ts'
import { onRedisLine } from '../line/line-room.ts'
import { type Stores, startStores } from '../stores.ts'
import { RedisWatch } from './redis-watch.ts'

const BATCH = 500
/** Longer than the run: no ticket becomes absent in the meantime. */
const ROOM = { draw: 'commit', heartbeatTimeoutSeconds: 3_600, maxWaiting: 10_000_000, challenge: 'off' }
const HOUR_MS = 3_600_000
const PATIENT = { timeoutMs: 900_000, everyMs: 50 }
const KILLS = 20

/** How a draw of many tickets went. */
export interface DrawnFigures {
  readonly tickets: number
  /** From the start of the sale, in seconds. */
  readonly sealedSeconds: number
  readonly revealedSeconds: number
  readonly admittedSeconds: number
  /** The longest command of Redis, and the longest answer to a PING that was sent all the time. */
  readonly redisCommandMs: number
  readonly redisStallMs: number
  /** The longest answer to a public read of the room, that was asked for all the time. */
  readonly serverStallMs: number
  readonly redisMegabytes: number
  readonly redisPeakMegabytes: number
  readonly serverPeakMegabytes: number
}

export interface BrokenDraws {
  readonly tickets: number
  readonly kills: number
  readonly seconds: number
}

/** Seals, draws and opens a line, undisturbed. */
export async function measureDraw(tickets: number): Promise<DrawnFigures> {
  await using stack = new AsyncDisposableStack()
  const stores = await startStores(stack)
  const server = await stores.startServer()
  const sale = await DrawnSale.fill(stores, server, tickets)
  const watch = await RedisWatch.begin(stores.redis.port, new URL(`/api/events/${sale.eventId}/queue/now`, server.url))
  const opensAt = await sale.startIn(3_000)
  await sale.revealed()
  await waitUntil('visitors go in', async () => (await sale.firstAt('admitted')) !== null, PATIENT)
  const seconds = async (kind: string): Promise<number> => (Number(await sale.firstAt(kind)) - opensAt) / 1_000
  const watched = await watch.end()
  await sale.judge()
  return {
    tickets,
    sealedSeconds: await seconds('sealed'),
    revealedSeconds: await seconds('revealed'),
    admittedSeconds: await seconds('admitted'),
    ...watched,
    serverPeakMegabytes: peakMegabytes(server.pid),
  }
}

/** The same while the server is killed at every step again and again, and the line is lost twice. */
export async function measureBrokenDraw(tickets: number, seed: number): Promise<BrokenDraws> {
  await using stack = new AsyncDisposableStack()
  const stores = await startStores(stack)
  const server = await stores.startServer()
  const sale = await DrawnSale.fill(stores, server, tickets)
  const opensAt = await sale.startIn(3_000)
  const random = seededRandom(seed)
  const points = faultPointsOf('draw').filter((point) => point !== 'draw.after-reveal')
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const point = kill === KILLS ? 'draw.after-reveal' : points[(kill - 1) % points.length]
    // A slice has 5,000 tickets: the server dies after any of them.
    const visit = point === 'draw.between-places' ? 1 + Math.floor((random() * tickets) / 5_000) : 1
    if (kill === 7 || kill === 14) {
      await stores.redis.kill()
      await stores.redis.restart('empty')
    }
    await restartDoomed(server, `${point}=crash@${visit}`)
    await server.exited
    console.log(`killed at ${point}, visit ${visit}, after ${((Date.now() - opensAt) / 1_000).toFixed(0)} s`)
  }
  await server.restart()
  await sale.revealed()
  await sale.judge()
  return { tickets, kills: KILLS, seconds: (Date.now() - opensAt) / 1_000 }
}

async function restartDoomed(server: Server, faults: string): Promise<void> {
  await server.restart({ SEATWISE_FAULTS: faults }).catch((error: unknown) => {
    if (!(error instanceof Error) || !error.message.includes('ended with SIGKILL')) throw error
  })
}

interface DrawTold {
  readonly state: string
  readonly secret: string
  readonly sealed: { readonly root: string; readonly count: number }
}

/** A sale with a pre-queue, filled through the line itself, as its servers would. */
class DrawnSale {
  readonly eventId: string
  readonly #roomId: string
  readonly #server: Server
  readonly #databaseUrl: string
  readonly #tickets: number

  constructor(server: Server, ids: { eventId: string; roomId: string }, databaseUrl: string, tickets: number) {
    this.#server = server
    this.eventId = ids.eventId
    this.#roomId = ids.roomId
    this.#databaseUrl = databaseUrl
    this.#tickets = tickets
  }

  static async fill({ redis, postgres }: Stores, server: Server, tickets: number): Promise<DrawnSale> {
    const preQueueAt = new Date(Date.now() - HOUR_MS).toISOString()
    const salesStartAt = new Date(Date.now() + HOUR_MS).toISOString()
    const ids = await openSale(server, { ...ROOM, preQueueAt }, { salesStartAt })
    const sale = new DrawnSale(server, ids, postgres.url, tickets)
    const filledAt = performance.now()
    await onRedisLine(redis, async (line) => {
      await sale.#now()
      const epoch = await waitUntil('the line is open', () => line.epochOf(ids.roomId))
      for (let drawn = 0; drawn < tickets; drawn += BATCH) {
        const identities = Array.from({ length: BATCH }, () => randomBytes(12).toString('base64url'))
        await joinPatiently(line, { room: ids.roomId, epoch, seenSeq: 0 }, identities)
      }
    })
    await waitUntil('the ledger has all', async () => (await sale.#count()) >= tickets, PATIENT)
    console.log(`${tickets.toLocaleString('en')} joined in ${((performance.now() - filledAt) / 1_000).toFixed(0)} s`)
    return sale
  }

  /** When the sale opens, in ms. */
  async startIn(ms: number): Promise<number> {
    const opensAt = Date.now() + ms
    const answer = await fetch(new URL(`/api/events/${this.eventId}`, this.#server.url), {
      method: 'PATCH',
      headers: { authorization: `Bearer ${await this.#server.adminToken()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ salesStartAt: new Date(opensAt).toISOString() }),
    })
    if (!answer.ok) throw new Error(`The start was not moved: ${answer.status} ${await answer.text()}`)
    return opensAt
  }

  async revealed(): Promise<void> {
    await waitUntil('the draw is revealed', async () => (await this.#draw()).state === 'revealed', PATIENT)
  }

  async #draw(): Promise<DrawTold> {
    const answer = await fetch(new URL(`/api/events/${this.eventId}/queue/draw`, this.#server.url))
    return (await answer.json()) as DrawTold
  }

  async #now(): Promise<void> {
    await fetch(new URL(`/api/events/${this.eventId}/queue/now`, this.#server.url))
  }

  async #count(): Promise<number> {
    const [row] = await this.#query('select count(*)::int as count from queue_entries where room_id = $1', [])
    return Number(row?.count)
  }

  /** When the log says that something happened first. */
  async firstAt(kind: string): Promise<number | null> {
    const text = `select (extract(epoch from min(at)) * 1000)::float8 as at from room_log where room_id = $1 and kind = $2`
    const [row] = await this.#query(text, [kind])
    return row?.at == null ? null : Number(row.at)
  }

  /** Every ticket has the place that the recipe of docs/fair-start-engineers.md gives it, in the ledger. */
  async judge(): Promise<void> {
    const { secret, sealed } = await this.#draw()
    const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
    const seed = createHash('sha256').update(bytes(secret)).update(bytes(sealed.root)).digest()
    const lots = Array.from({ length: this.#tickets }, (_, index) => ({
      number: index + 1,
      lot: createHmac('sha256', seed)
        .update(`${this.#roomId}:${index + 1}`)
        .digest('latin1'),
    }))
    lots.sort((one, other) => (one.lot < other.lot ? -1 : 1))
    const rows = await this.#query('select number::int, place from queue_entries where room_id = $1', [])
    const places = new Map(rows.map(({ number, place }) => [Number(number), Number(place)]))
    const wrong = lots.filter(({ number }, rank) => places.get(number) !== rank + 1)
    if (sealed.count !== this.#tickets || wrong.length > 0)
      throw new Error(`${sealed.count} tickets were sealed, and ${wrong.length} have another place than they drew`)
    console.log(`all ${this.#tickets.toLocaleString('en')} places are those of the recipe`)
  }

  async #query(text: string, parameters: readonly unknown[]): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.#databaseUrl })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text, [this.#roomId, ...parameters])).rows
    } finally {
      await client.end()
    }
  }
}

/** Linux tells it in kB. */
function peakMegabytes(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1_024
}

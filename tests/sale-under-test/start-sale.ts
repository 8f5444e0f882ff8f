import { randomUUID } from 'node:crypto'
import type { RoomSettings } from '@seatwise/domain'
import { type Ledger, openLedger, readRoom } from '@seatwise/seats'
import { createAccessTokens } from '@seatwise/server'
import {
  type FaultProxy,
  History,
  HttpClient,
  postgresDatabase,
  type Redis,
  SECRET,
  type Server,
  seededRandom,
  startFaultProxy,
  startRedis,
  startServer,
  Visitor,
  waitUntil,
} from '@seatwise/testbench'

export interface SaleOptions {
  readonly servers: number
  readonly seed: number
  readonly room?: Partial<RoomSettings>
  /** Further settings of the servers, by their index. */
  readonly env?: (index: number) => Readonly<Record<string, string | undefined>>
  /** Keeps everything Redis acknowledged over kill -9. */
  readonly durableRedis?: boolean
}

/** Several real servers with one room, on a Redis of their own and a database of their own. */
export interface Sale {
  readonly servers: readonly Server[]
  readonly redis: Redis
  /** Between each server and Redis. */
  readonly proxies: readonly FaultProxy[]
  readonly ledger: Ledger
  readonly eventId: string
  readonly roomId: string
  readonly history: History
  readonly http: HttpClient
  readonly random: () => number
  visitor(name: string): Visitor
  /** Changes the room as its operator; tries again when a server does not answer. */
  change(change: Readonly<Record<string, unknown>>): Promise<void>
  /** Waits until the ledger has everything the line has logged so far. */
  followed(): Promise<void>
  /** The epoch under which the ledger wants the line to stand. */
  epoch(): Promise<number>
  /** The public document of the room; empty when there is none at the moment. */
  now(): Promise<Readonly<Record<string, unknown>>>
  close(): Promise<void>
}

export async function startSale(options: SaleOptions): Promise<Sale> {
  const undo: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    return await start(options, undo, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function start(
  options: SaleOptions,
  undo: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<Sale> {
  const redis = await startRedis({ durable: options.durableRedis === true })
  undo.push(() => redis.discard())
  const database = await postgresDatabase()
  undo.push(() => database.drop())
  const proxies: FaultProxy[] = []
  const servers: Server[] = []
  for (let index = 0; index < options.servers; index += 1) {
    const proxy = await startFaultProxy({ targetPort: redis.port, protocol: 'redis', seed: options.seed + index })
    undo.push(() => proxy.stop())
    proxies.push(proxy)
    const server = await startServer({
      mode: 'distributed',
      databaseUrl: database.url,
      redisUrl: `redis://127.0.0.1:${proxy.port}`,
      env: options.env?.(index) ?? {},
    })
    undo.push(() => server.discard())
    servers.push(server)
  }
  const ledger = await openLedger({ kind: 'postgres', url: database.url, poolMax: 2 })
  undo.push(() => ledger.close())
  const http = new HttpClient()
  undo.push(async () => http.close())
  // The operator does not wait behind the crowd for a connection.
  const desk = new HttpClient()
  undo.push(async () => desk.close())
  const parts = { servers, redis, proxies, ledger, http, history: new History(), random: seededRandom(options.seed) }
  return { ...parts, ...(await openEvent(parts, desk, options.room ?? {})), close }
}

type Parts = Pick<Sale, 'servers' | 'ledger' | 'http' | 'history' | 'random'>

async function openEvent(
  parts: Parts,
  desk: HttpClient,
  room: Partial<RoomSettings>,
): Promise<Pick<Sale, 'eventId' | 'roomId' | 'visitor' | 'change' | 'followed' | 'now' | 'epoch'>> {
  const { servers, ledger, http, history, random } = parts
  const urls = servers.map(({ url }) => url)
  const [first] = servers
  if (first === undefined) throw new Error('A sale needs a server')
  const headers = { authorization: `Bearer ${await first.adminToken()}` }
  const { body, status } = await desk.send({
    ...{ method: 'POST', url: `${first.url}/api/events`, headers },
    body: {
      ...{ name: 'Aurora Live', totalSeats: 10, salesStartAt: '2020-01-01T00:00:00Z' },
      ...{ salesEndAt: '2100-01-01T00:00:00Z', room: { stockAware: false, ...room } },
    },
  })
  if (status !== 201) throw new Error(`No event: ${status} ${JSON.stringify(body)}`)
  const [eventId, roomId] = [String(body.id), String(body.roomId)]
  const tokens = createAccessTokens([Buffer.from(SECRET, 'base64')], Date.now)

  const now = async () => (await desk.send({ method: 'GET', url: `${first.url}/api/events/${eventId}/queue/now` })).body

  return {
    eventId,
    roomId,
    visitor(name) {
      const { accessToken } = tokens.issue({ id: randomUUID(), role: 'buyer', name, avatar: null })
      return new Visitor({ name, accessToken, servers: urls, roomId, http, history, random })
    },
    async change(change) {
      await waitUntil('the room is changed', async () => {
        const url = `${urls[Math.floor(random() * urls.length)]}/api/events/${eventId}/room`
        return (await desk.send({ method: 'PATCH', url, headers, body: change })).status === 200
      })
    },
    async followed() {
      await waitUntil('the ledger has the whole log', async () => {
        const row = await readRoom(ledger.db, { roomId })
        const document = await now()
        return row !== null && row.epoch === document.epoch && row.seq === document.seq
      })
    },
    now,
    async epoch() {
      return (await readRoom(ledger.db, { roomId }))?.epoch ?? 0
    },
  }
}

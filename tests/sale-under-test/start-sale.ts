import { randomUUID } from 'node:crypto'
import type { RoomSettings } from '@seatwise/domain'
import { type Ledger, openLedger, readRoom } from '@seatwise/ledger'
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
  /** Fields of the event over those of the bench. */
  readonly event?: Readonly<Record<string, unknown>>
  /** Further settings of the servers, by their index. */
  readonly env?: (index: number) => Readonly<Record<string, string | undefined>>
  /** Keeps everything Redis acknowledged over kill -9. */
  readonly durableRedis?: boolean
}

/** One room, and those who come to it. */
export interface Room {
  readonly eventId: string
  readonly roomId: string
  readonly history: History
  readonly http: HttpClient
  readonly random: () => number
  visitor(name: string): Visitor
  /** Changes the room as its operator; tries again when a server does not answer. */
  change(change: Readonly<Record<string, unknown>>): Promise<void>
  /** The public document of the room; empty when there is none at the moment. */
  now(): Promise<Readonly<Record<string, unknown>>>
}

/** Several real servers with one room, on a Redis of their own and a database of their own. */
export interface Sale extends Room {
  readonly servers: readonly Server[]
  readonly redis: Redis
  /** Between each server and Redis. */
  readonly proxies: readonly FaultProxy[]
  readonly ledger: Ledger
  /** Waits until the ledger has everything the line has logged so far. */
  followed(): Promise<void>
  /** The epoch under which the ledger wants the line to stand. */
  epoch(): Promise<number>
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
  const database = await postgresDatabase('migrated')
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
  const room = await openRoom(servers, { ...options, undo })
  const { roomId, now } = room
  return {
    ...{ ...room, servers, redis, proxies, ledger, close },
    async followed() {
      const asOf = Date.now()
      await waitUntil('the ledger has the whole log', async () => {
        const row = await readRoom(ledger.db, { roomId })
        const document = await now()
        // It may be a second old, and the ledger just as far: that would not be the log so far.
        if (Date.parse(String(document.at)) < asOf) return false
        return row !== null && row.epoch === document.epoch && row.seq === document.seq
      })
    },
    async epoch() {
      return (await readRoom(ledger.db, { roomId }))?.epoch ?? 0
    },
  }
}

export interface RoomOptions {
  readonly seed: number
  readonly room?: Partial<RoomSettings>
  readonly event?: Readonly<Record<string, unknown>>
  /** What must be closed at the end is added to it. */
  readonly undo: (() => Promise<unknown>)[]
}

/** Opens an event with the room to be tested, on servers that run. */
export async function openRoom(servers: readonly Server[], options: RoomOptions): Promise<Room> {
  const random = seededRandom(options.seed)
  const history = new History()
  const http = new HttpClient()
  // The operator does not wait behind the crowd for a connection.
  const desk = new HttpClient()
  options.undo.push(async () => {
    http.close()
    desk.close()
  })
  const urls = servers.map(({ url }) => url)
  const [first] = servers
  if (first === undefined) throw new Error('A room needs a server')
  const headers = { authorization: `Bearer ${await first.adminToken()}` }
  const { body, status } = await desk.send({
    ...{ method: 'POST', url: `${first.url}/api/events`, headers },
    body: {
      ...{ name: 'Aurora Live', totalSeats: 10, salesStartAt: '2020-01-01T00:00:00Z' },
      ...{ salesEndAt: '2100-01-01T00:00:00Z', room: { stockAware: false, ...options.room } },
      ...options.event,
    },
  })
  if (status !== 201) throw new Error(`No event: ${status} ${JSON.stringify(body)}`)
  const [eventId, roomId] = [String(body.id), String(body.roomId)]
  const tokens = createAccessTokens([Buffer.from(SECRET, 'base64')], Date.now)

  return {
    ...{ eventId, roomId, history, http, random },
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
    async now() {
      const answer = await desk.send({ method: 'GET', url: `${first.url}/api/events/${eventId}/queue/now` })
      return answer.status === 200 ? answer.body : {}
    },
  }
}

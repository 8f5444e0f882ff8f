import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Ledger, openLedger } from '@seatwise/ledger'
import {
  HttpClient,
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

/** For all calls of a test file, which closes it. */
export const http = new HttpClient()

/** Servers that die, and the server that survives: another one, or the same one started again. */
export interface Shop {
  readonly doomed: Server
  /** The server that goes on after the crash. */
  survivor(): Promise<Server>
  /** Runs the command on the ledger; embedded, while no server has it. */
  seatwise(args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }>
  /** Of an embedded server. */
  readonly dataDir: string | null
  /** Of distributed servers. */
  readonly databaseUrl: string | null
  /** Only when no server has it. */
  readLedger<Result>(read: (ledger: Ledger) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export interface SaleOfShop {
  readonly eventId: string
  readonly seatTypeId: string
}

export async function openSale(server: Server, totalQuantity = 500): Promise<SaleOfShop> {
  const authorization = `Bearer ${await server.adminToken()}`
  const { body } = await send(
    server,
    'POST',
    '/api/events',
    { authorization },
    {
      name: 'Aurora Live',
      ...{ salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' },
      seatTypes: [{ name: 'Standing', price: 4_500, currency: 'EUR', totalQuantity }],
      room: {
        ...{ capacity: 500, ratePerMinute: 1_000_000, burst: 500, claimSeconds: 0 },
        ...{ guests: true, guestsPerAddress: 500 },
        // They wait until it is their turn to crash.
        ...{ sessionSeconds: 3_600, reservationSeconds: 3_600 },
      },
    },
  )
  const [type] = body.seatTypes as { id: string }[]
  return { eventId: String(body.id), seatTypeId: type?.id ?? '' }
}

export async function reserve(
  server: Server,
  { eventId, seatTypeId }: SaleOfShop,
  authorization: string,
): Promise<string> {
  const path = `/api/events/${eventId}`
  const ticket = await waitUntil('a visitor can join', async () => {
    const { body } = await send(server, 'POST', `${path}/queue/join`, { authorization }, {})
    return typeof body.ticketToken === 'string' ? body.ticketToken : null
  })
  const pass = await waitUntil('it is their turn', async () => {
    const { body } = await send(server, 'GET', `${path}/queue/status`, { 'seatwise-ticket': ticket })
    return typeof body.activeToken === 'string' ? body.activeToken : null
  })
  return await waitUntil('they have a seat', async () => {
    const headers = { authorization, 'seatwise-pass': pass, 'idempotency-key': randomUUID() }
    const { status, body } = await send(server, 'POST', `${path}/reservations`, headers, { seatTypeId, quantity: 1 })
    return status === 201 ? String(body.id) : null
  })
}

export const send = (
  server: Server,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  headers: Record<string, string>,
  body?: object,
) => http.send({ method, url: `${server.url}${path}`, headers, ...(body === undefined ? {} : { body }) })

export async function openEmbedded(): Promise<Shop> {
  const folder = await temporaryFolder()
  const dataDir = join(folder, 'data')
  const server = await startServer({ mode: 'embedded', dataDir })
  return {
    doomed: server,
    dataDir,
    databaseUrl: null,
    async seatwise(args) {
      await server.stop()
      return await runSeatwise(args, { SEATWISE_DATA_DIR: dataDir })
    },
    async survivor() {
      if (!(await answers(server))) await server.restart()
      return server
    },
    async readLedger(read) {
      await server.stop()
      const ledger = await openLedger({ kind: 'pglite', dataDir })
      try {
        return await read(ledger)
      } finally {
        await ledger.close()
      }
    },
    async close() {
      await server.discard()
      await removeFolder(folder)
    },
  }
}

/** With the settings of a payment provider, where it is not the sandbox. */
export async function openDistributed(env: Readonly<Record<string, string>> = {}): Promise<Shop> {
  const database = await postgresDatabase('migrated')
  const open = () => startServer({ mode: 'distributed', databaseUrl: database.url, env })
  const [doomed, other] = await Promise.all([open(), open()])
  return {
    doomed,
    dataDir: null,
    databaseUrl: database.url,
    seatwise: (args) => runSeatwise(args, { DATABASE_URL: database.url, REDIS_URL: redisUrl() }),
    survivor: async () => other,
    async readLedger(read) {
      const ledger = await openLedger({ kind: 'postgres', url: database.url, poolMax: 1 })
      try {
        return await read(ledger)
      } finally {
        await ledger.close()
      }
    },
    async close() {
      await Promise.all([doomed.discard(), other.discard()])
      await database.drop()
    },
  }
}

async function runSeatwise(args: readonly string[], stores: Readonly<Record<string, string>>) {
  const env = { PATH: process.env.PATH, SEATWISE_SECRET: SECRET, ...stores }
  const command = [...(await seatwiseProgram()), ...args]
  const child = await startChild(`seatwise ${args[0]}`, process.execPath, command, { env })
  const { code } = await child.exited
  return { code, output: child.output() }
}

async function answers(server: Server): Promise<boolean> {
  try {
    return (await http.send({ method: 'GET', url: `${server.url}/health/live` })).status === 200
  } catch {
    return false // No server is there.
  }
}

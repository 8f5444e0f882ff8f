import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type ClientRequest, request } from 'node:http'
import { postgresDatabase, type Redis, type Server, startRedis, startServer, waitUntil } from '@seatwise/testbench'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

const CONNECTIONS = 8
/** A busy machine takes longer to start a process than the two seconds that a machine of its own takes. */
const REPLACED_MS_MAX = 20_000

describe('workers that share a port', { timeout: 120_000 }, () => {
  let redis: Redis
  let database: Awaited<ReturnType<typeof postgresDatabase>>
  let server: Server | undefined
  beforeAll(async () => {
    redis = await startRedis()
    database = await postgresDatabase('migrated')
  })
  afterEach(async () => {
    await server?.discard()
  })
  afterAll(async () => {
    await redis.discard()
    await database.drop()
  })

  async function start(env: Record<string, string> = {}): Promise<Server> {
    const stores = { databaseUrl: database.url, redisUrl: redis.url }
    server = await startServer({ mode: 'distributed', ...stores, env: { SEATWISE_WORKERS: '2', ...env } })
    return server
  }

  test('[O60] [O61] both serve, any of them tells the sum of their metrics, and no counter goes back when one is replaced', async () => {
    const running = await start()
    expect(workersOf(running).map(({ worker }) => worker)).toEqual([1, 2])
    for (let count = 0; count < 20; count += 1) expect((await ask(running, 'GET', '/health/live')).status).toBe(200)
    const [one, other] = [await measured(running), await measured(running)]
    expect(one.answered).toBe(20)
    expect(other.answered).toBe(20)
    // Gauges are those of both processes.
    expect(one.text).toMatch(/seatwise_buffered_items\{buffer="rooms"\} 0/)
    expect(await killed(running, 0)).toBeLessThan(REPLACED_MS_MAX)
    const later = await measured(running)
    expect(later.answered).toBe(20)
    expect(workersOf(running).map(({ worker }) => worker)).toEqual([1, 2, 1])
  })

  test('[O62] a worker killed with -9 under load is replaced, no acknowledged join is lost, and the others go on', async () => {
    const running = await start()
    const queue = await openSale(running)
    const load = drive(async (agent) => await join(running, queue, agent))
    await waitUntil('visitors have joined', () => load.answers.length > 200)
    const readyAfterMs = await killed(running, 1)
    const before = load.answers.length
    await waitUntil('visitors go on joining', () => load.answers.length > before + 200)
    await load.stop()
    expect(readyAfterMs).toBeLessThan(REPLACED_MS_MAX)
    // Only connections of the killed worker broke, and those made while the system closed its port.
    expect(load.broken).toBeLessThanOrEqual(2 * CONNECTIONS)
    const acknowledged = load.answers.filter(({ status }) => status === 200)
    expect(acknowledged.length).toBeGreaterThan(400)
    for (const { body } of acknowledged) {
      const { ticketToken, ticketId } = JSON.parse(body)
      const found = await ask(running, 'GET', `${queue}/status`, { headers: { 'seatwise-ticket': ticketToken } })
      expect(JSON.parse(found.body)).toMatchObject({ status: 'waiting', ticketId })
    }
  })

  test('[O63] SIGTERM under load: readiness fails first, each begun request is answered, and it ends with 0', async () => {
    const running = await start({ SEATWISE_DRAIN_SECONDS: '5' })
    const queue = await openSale(running)
    const load = drive(async (agent) => await join(running, queue, agent))
    await waitUntil('visitors have joined', () => load.answers.length > 200)
    process.kill(running.pid, 'SIGTERM')
    const notReady = await waitUntil('it is not ready', async () => {
      const { status, body } = await ask(running, 'GET', '/health/ready')
      return status === 503 ? body : null
    })
    expect(JSON.parse(notReady)).toMatchObject({ missing: ['stopping'] })
    const announced = load.answers.length
    await waitUntil('visitors go on joining', () => load.answers.length > announced + 20)
    // As load balancers do. Two requests are not complete when the workers stop.
    await load.stop()
    const slow = await Promise.all([openSlowly(running, queue), openSlowly(running, queue)])
    await waitUntil('a worker stops', () => running.output().includes('"worker":1,"msg":"stopping"'))
    const late = await Promise.all(slow.map((finish) => finish()))
    expect(late.map(({ status }) => status)).toEqual([200, 200])
    expect(await running.exited).toEqual({ code: 0, signal: null })
    expect(load.broken).toBe(0)
    expect(new Set(load.answers.map(({ status }) => status))).toEqual(new Set([200]))
    // One after the other.
    const order = [...running.output().matchAll(/"worker":(\d),"msg":"(stopping|stopped)"/g)].map(
      ([, ...found]) => found,
    )
    expect(order.map((found) => found.join(' '))).toEqual(['1 stopping', '1 stopped', '2 stopping', '2 stopped'])
  })

  test('[O63] workers whose supervisor was killed stop by themselves', async () => {
    const running = await start()
    const workers = workersOf(running)
    await running.kill()
    await waitUntil('they have ended', () => workers.every(({ pid }) => !isRunning(pid)), { timeoutMs: 30_000 })
  })

  test('[O62] if no worker can start, the program says why and exits with 1', async () => {
    const stores = { databaseUrl: 'postgres://nobody@127.0.0.1:1/none', redisUrl: redis.url }
    await expect(startServer({ mode: 'distributed', ...stores, env: { SEATWISE_WORKERS: '2' } })).rejects.toThrow(
      /ended with 1 instead of starting[\s\S]*ECONNREFUSED[\s\S]*Worker 1 ended with 1 before it served/,
    )
  })

  /** Kills one worker; resolves with the time until all serve again. */
  async function killed(running: Server, index: number): Promise<number> {
    const pid = workersOf(running)[index]?.pid ?? 0
    const killedAt = performance.now()
    process.kill(pid, 'SIGKILL')
    await waitUntil('it is missed', async () => (await ask(running, 'GET', '/health/ready')).status === 503)
    await waitUntil('it is replaced', async () => (await ask(running, 'GET', '/health/ready')).status === 200, {
      timeoutMs: REPLACED_MS_MAX,
    })
    return performance.now() - killedAt
  }
})

interface Asked {
  readonly status: number
  readonly body: string
}

interface Options {
  readonly headers?: Record<string, string>
  readonly body?: object
  /** A connection of its own without one. */
  readonly agent?: Agent
}

async function ask(server: Server, method: string, path: string, options: Options = {}): Promise<Asked> {
  const { headers, body, agent = false } = options
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const sent = request(server.url + path, { method, agent, headers: { ...json, ...headers } })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  return await answerOf(sent)
}

function answerOf(sent: ClientRequest): Promise<Asked> {
  return new Promise((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
    })
  })
}

/** A sale in which all wait; the address of its line. */
async function openSale(server: Server): Promise<string> {
  const room = { paused: true, guestsPerAddress: 0, heartbeatTimeoutSeconds: 3_600 }
  const window = { salesStartAt: new Date(Date.now() - 60_000), salesEndAt: new Date(Date.now() + 3_600_000) }
  const body = { name: `A sale ${randomUUID()}`, totalSeats: 10, ...window, room }
  const headers = { authorization: `Bearer ${await server.adminToken()}` }
  const made = await ask(server, 'POST', '/api/events', { headers, body })
  return `/api/events/${JSON.parse(made.body).id}/queue`
}

async function join(server: Server, queue: string, agent: Agent): Promise<Asked> {
  return await ask(server, 'POST', `${queue}/join`, { body: {}, agent })
}

/** Sends a join but for the end of its body; the returned function sends the rest. */
async function openSlowly(server: Server, queue: string): Promise<() => Promise<Asked>> {
  const headers = { 'content-type': 'application/json', 'content-length': 2 }
  const sent = request(`${server.url}${queue}/join`, { method: 'POST', agent: false, headers })
  const answered = answerOf(sent)
  sent.write('{')
  await once(sent, 'socket')
  return async () => {
    sent.end('}')
    return await answered
  }
}

interface Load {
  readonly answers: Asked[]
  /** Requests that began and got no whole answer. */
  readonly broken: number
  stop(): Promise<void>
}

/** Some clients that ask one after the other, each over connections of its own, half of them over a new one each time. */
function drive(act: (agent: Agent) => Promise<Asked>): Load {
  const answers: Asked[] = []
  let broken = 0
  let isOn = true
  const clients = Array.from({ length: CONNECTIONS }, async (_, index) => {
    const agent = new Agent({ keepAlive: index % 2 === 0, maxSockets: 1 })
    while (isOn) {
      try {
        answers.push(await act(agent))
      } catch (error) {
        // No server listens any more: the request did not begin.
        if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED') break
        broken += 1
      }
    }
    agent.destroy()
  })
  return {
    answers,
    get broken() {
      return broken
    },
    async stop() {
      isOn = false
      await Promise.all(clients)
    },
  }
}

/** The processes that began to serve, in that order. */
function workersOf(server: Server): { worker: number; pid: number }[] {
  const lines = server.output().matchAll(/"worker":(\d+),"process":(\d+),"msg":"worker serves"/g)
  return [...lines].map(([, worker, pid]) => ({ worker: Number(worker), pid: Number(pid) }))
}

async function measured(server: Server): Promise<{ answered: number; text: string }> {
  const { body } = await ask(server, 'GET', '/metrics')
  const count = /duration_seconds_count\{method="GET",route="\/health\/live",status="2xx"\} (\d+)/.exec(body)?.[1]
  return { answered: Number(count), text: body }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

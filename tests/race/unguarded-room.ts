import type { HistoryRecord, LogRecord } from '@seatwise/checker'
import { redisPrefix } from '@seatwise/testbench'
import { createClient } from 'redis'
import type { Rusher } from './rush.ts'

export type Guard = 'capacity' | 'rate' | 'identity'

export interface UnguardedOptions {
  readonly capacity: number
  readonly ratePerMinute: number
  readonly burst: number
  /** The one thing that is not done in one step with what depends on it. */
  readonly without: Guard | null
  readonly servers: number
}

/** A waiting room as people write it at first, on a real Redis, by several servers. */
export interface UnguardedRoom {
  visitor(name: string): Rusher
  log(): HistoryRecord[]
  close(): Promise<void>
}

type Body = LogRecord extends infer Entry ? (Entry extends unknown ? Omit<Entry, keyof Head> : never) : never
type Head = Pick<LogRecord, 'record' | 'room' | 'epoch' | 'seq' | 'atMs' | 'operation'>

const TICK_MS = 5

/**
 * Everything happens under one lock, which stands for an atomic step, except what `without` names: the floor is counted
 * before the lock, or each server fills a bucket of its own, or the identity is looked up before the lock.
 */
export async function openUnguardedRoom(options: UnguardedOptions): Promise<UnguardedRoom> {
  const { capacity, ratePerMinute, burst, without } = options
  const { url, prefix } = redisPrefix()
  const clients = await Promise.all(
    Array.from({ length: options.servers }, async () => {
      const client = createClient({ url })
      await client.connect()
      return client
    }),
  )
  type Client = (typeof clients)[number]
  const key = (name: string): string => `${prefix}${name}`
  const log: LogRecord[] = []
  const write = (body: Body): void => {
    const head: Head = {
      record: 'log',
      room: 'room',
      epoch: 1,
      seq: log.length + 1,
      atMs: Date.now(),
      operation: `${log.length}`,
    }
    // A union that was taken apart is put together again.
    log.push({ ...head, ...body } as LogRecord)
  }
  write({ kind: 'epoch', reason: 'opened', capacity, ratePerMinute, burst, tokens: burst })
  const underLock = createLock()
  const shared = createBucket(ratePerMinute, burst)

  const guarded = <Known>(guard: Guard, read: () => Promise<Known>, act: (known: Known) => Promise<void>) =>
    without === guard ? read().then((known) => underLock(() => act(known))) : underLock(async () => act(await read()))

  async function join(client: Client, name: string): Promise<void> {
    const find = () => client.hGet(key('identities'), name)
    await guarded('identity', find, async (found) => {
      if (found !== null) return
      const ticket = await client.incr(key('number'))
      await client.hSet(key('identities'), name, String(ticket))
      await client.zAdd(key('line'), { score: ticket, value: String(ticket) })
      write({ kind: 'join', ticket, place: ticket, class: 0, identity: name })
    })
  }

  async function admit(client: Client, take: () => boolean): Promise<void> {
    const countFree = async () => capacity - (await client.zCard(key('floor')))
    await guarded('capacity', countFree, async (free) => {
      for (let left = free; left > 0 && (await client.zCard(key('line'))) > 0 && take(); left -= 1) {
        const first = await client.zPopMin(key('line'))
        if (first === null) return
        await client.zAdd(key('floor'), { score: 0, value: first.value })
        write({ kind: 'admit', ticket: Number(first.value) })
      }
    })
  }

  async function end(client: Client, name: string, kind: 'complete' | 'leave'): Promise<void> {
    await underLock(async () => {
      const ticket = await client.hGet(key('identities'), name)
      if (ticket === null) return
      await client.zRem(key('floor'), ticket)
      await client.zRem(key('line'), ticket)
      write({ kind, ticket: Number(ticket) })
    })
  }

  async function stand(client: Client, name: string): Promise<Awaited<ReturnType<Rusher['look']>>> {
    const ticket = (await client.hGet(key('identities'), name)) ?? ''
    const rank = await client.zRank(key('line'), ticket)
    return { status: rank === null ? 'admitted' : 'waiting', rank, reason: null }
  }

  const pumps = clients.map((client) => {
    const bucket = without === 'rate' ? createBucket(ratePerMinute, burst) : shared
    return startTicking(() => admit(client, bucket))
  })
  let next = 0
  return {
    visitor(name) {
      const anyServer = (): Client => clients[next++ % clients.length] as Client
      return {
        name,
        async join() {
          const client = anyServer()
          await join(client, name)
          return await stand(client, name)
        },
        look: () => stand(anyServer(), name),
        enter: async () => undefined,
        complete: () => end(anyServer(), name, 'complete'),
        leave: () => end(anyServer(), name, 'leave'),
      }
    },
    log: () => log,
    async close() {
      await Promise.all(pumps.map((pump) => pump.stop()))
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}

/** Runs one piece of work after the other. */
function createLock(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}

/** Takes a token if there is one. */
function createBucket(ratePerMinute: number, burst: number): () => boolean {
  let level = burst
  let filledAt = Date.now()
  return () => {
    const now = Date.now()
    level = Math.min(burst, level + ((now - filledAt) * ratePerMinute) / 60_000)
    filledAt = now
    if (level < 1) return false
    level -= 1
    return true
  }
}

function startTicking(tick: () => Promise<void>): { stop(): Promise<void> } {
  let isOver = false
  const run = async (): Promise<void> => {
    while (!isOver) {
      await tick()
      await new Promise((resolve) => setTimeout(resolve, TICK_MS))
    }
  }
  const running = run()
  return {
    async stop() {
      isOver = true
      await running
    },
  }
}

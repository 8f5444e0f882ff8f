import { setTimeout as delay } from 'node:timers/promises'
import { FAULT_POINTS } from '@seatwise/domain'
import { answersPing, type History, redisCommand, seededRandom, waitUntil } from '@seatwise/testbench'
import type { Laboratory } from './laboratory.ts'

/** Something that breaks, and how it is mended again. `name` and `target` are how the checker knows it. */
interface Fault {
  readonly name: string
  readonly target: 'redis' | 'ledger' | 'server'
  begin(where: Where): unknown
  end(where: Where): unknown
}

interface Where extends Laboratory {
  /** The server that it happens to, or that owns the connections. */
  readonly index: number
  readonly random: () => number
}

const LINE_FAULTS: readonly Fault[] = [
  { name: 'pause', target: 'redis', begin: ({ redis }) => redis.pause(), end: ({ redis }) => redis.resume() },
  { name: 'crash', target: 'redis', begin: ({ redis }) => redis.kill(), end: ({ redis }) => redis.restart('kept') },
  { name: 'loss', target: 'redis', begin: ({ redis }) => redis.kill(), end: restartRedisEmpty },
  { name: 'flush', target: 'redis', begin: ({ redis }) => redisCommand(redis.port, 'FLUSHALL'), end: () => undefined },
  {
    ...{ name: 'lost replies', target: 'redis' },
    begin: ({ redisLinks, index }) => redisLinks[index]?.swallowReplies(0.2, /EVAL|FCALL/i),
    end: ({ redisLinks, index }) => redisLinks[index]?.swallowReplies(0),
  },
  {
    ...{ name: 'cut', target: 'redis' },
    begin: ({ redisLinks, index }) => redisLinks[index]?.cut(),
    end: ({ redisLinks, index }) => redisLinks[index]?.heal(),
  },
  {
    ...{ name: 'full disk', target: 'redis' },
    begin: ({ disks }) => disks?.redis.fill(),
    async end({ disks, redis }) {
      disks?.redis.empty()
      // With appendfsync always Redis gives up on a full disk, and an operator has to start it again.
      if (!(await answersPing(redis.port).catch(() => false))) await redis.restart('kept')
    },
  },
  {
    ...{ name: 'crash', target: 'server' },
    begin: ({ servers, index }) => servers[index]?.kill(),
    end: restartServer,
  },
  {
    ...{ name: 'pause', target: 'server' },
    begin: ({ servers, index }) => servers[index]?.pause(),
    end: ({ servers, index }) => servers[index]?.resume(),
  },
  {
    ...{ name: 'crash in a step', target: 'server' },
    // It may be that it does not even get as far as to be ready.
    begin: ({ servers, index, random }) =>
      servers[index]?.restart({ SEATWISE_FAULTS: anyPoint(random) }).catch(() => undefined),
    end: restartServer,
  },
]

const LEDGER_FAULTS: readonly Fault[] = [
  {
    ...{ name: 'pause', target: 'ledger' },
    begin: ({ postgres }) => postgres.pause(),
    end: ({ postgres }) => postgres.resume(),
  },
  {
    ...{ name: 'crash', target: 'ledger' },
    begin: ({ postgres }) => postgres.kill(),
    end: ({ postgres }) => postgres.restart('kept'),
  },
  {
    ...{ name: 'restart', target: 'ledger' },
    begin: ({ postgres }) => postgres.stop(),
    end: ({ postgres }) => postgres.restart('kept'),
  },
  {
    ...{ name: 'lost replies', target: 'ledger' },
    begin: ({ ledgerLinks, index }) => ledgerLinks[index]?.swallowReplies(0.2, /commit/i),
    end: ({ ledgerLinks, index }) => ledgerLinks[index]?.swallowReplies(0),
  },
  {
    ...{ name: 'slow', target: 'ledger' },
    begin: ({ ledgerLinks, index }) => ledgerLinks[index]?.setLatency({ ms: 100, jitterMs: 200 }),
    end: ({ ledgerLinks, index }) => ledgerLinks[index]?.heal(),
  },
  {
    ...{ name: 'cut', target: 'ledger' },
    begin: ({ ledgerLinks, index }) => ledgerLinks[index]?.cut(),
    end: ({ ledgerLinks, index }) => ledgerLinks[index]?.heal(),
  },
  {
    ...{ name: 'full disk', target: 'ledger' },
    begin: ({ disks }) => disks?.postgres.fill(),
    async end({ disks, postgres }) {
      disks?.postgres.empty()
      await postgres.restart('kept')
    },
  },
]

const BREATH_MS_MAX = 3_000
const FAULT_MS_MAX = 4_000
const RESTART_MS_MAX = 60_000

export interface Nemesis {
  /** Breaks nothing any more, and everything is mended. */
  stop(): Promise<void>
  /** What was broken how often. */
  readonly made: ReadonlyMap<string, number>
}

/**
 * Breaks one thing after the other on the side of the line, and at the same time on the side of the ledger, as its seed
 * says, until it is stopped. Every fault comes once before any is repeated.
 */
export function unleash(laboratory: Laboratory, history: History, seed: number): Nemesis {
  const made = new Map<string, number>()
  let isStopped = false
  const work = async (faults: readonly Fault[], side: number): Promise<void> => {
    const random = seededRandom(seed, 7 + side)
    let deck: Fault[] = []
    while (!isStopped) {
      await delay(random() * BREATH_MS_MAX)
      if (deck.length === 0) deck = shuffled(faults, random)
      const fault = deck.pop()
      if (fault === undefined || isStopped) continue
      const where = { ...laboratory, index: Math.floor(random() * laboratory.servers.length), random }
      const name = `${fault.target} ${fault.name}`
      made.set(name, (made.get(name) ?? 0) + 1)
      history.fault(fault.name, fault.target, 'begin')
      await fault.begin(where)
      await delay(random() * FAULT_MS_MAX)
      await fault.end(where)
      history.fault(fault.name, fault.target, 'end')
    }
  }
  const working = Promise.all([LINE_FAULTS, LEDGER_FAULTS].map(work))
  return {
    made,
    async stop() {
      isStopped = true
      await working
    },
  }
}

/** On the disk that can be filled, if there is one. */
async function restartRedisEmpty({ redis, disks }: Where): Promise<void> {
  const restart = () => redis.restart('empty')
  await (disks?.redis.hold(restart) ?? restart())
}

/** As a supervisor would: again and again, for the stores may be away just now. */
async function restartServer({ servers, index }: Where): Promise<void> {
  await waitUntil(
    'the server stands again',
    async () => {
      await servers[index]?.restart()
      return true
    },
    { timeoutMs: RESTART_MS_MAX, everyMs: 500 },
  )
}

function anyPoint(random: () => number): string {
  const point = FAULT_POINTS[Math.floor(random() * FAULT_POINTS.length)]
  return `${point}=crash@${1 + Math.floor(random() * 3)}`
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item)
}

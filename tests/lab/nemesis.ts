import { setTimeout as delay } from 'node:timers/promises'
import { type History, redisCommand } from '@seatwise/testbench'
import type { Laboratory } from './laboratory.ts'

/** Something that breaks, and how it is mended again. `excuse` is the name under which the checker knows it. */
interface Fault {
  readonly name: string
  readonly target: 'redis' | 'ledger' | 'server'
  begin(laboratory: Laboratory, server: number): unknown
  end(laboratory: Laboratory, server: number): unknown
}

const FAULTS: readonly Fault[] = [
  { name: 'pause', target: 'redis', begin: ({ redis }) => redis.pause(), end: ({ redis }) => redis.resume() },
  { name: 'crash', target: 'redis', begin: ({ redis }) => redis.kill(), end: ({ redis }) => redis.restart('kept') },
  { name: 'loss', target: 'redis', begin: ({ redis }) => redis.kill(), end: ({ redis }) => redis.restart('empty') },
  { name: 'flush', target: 'redis', begin: ({ redis }) => redisCommand(redis.port, 'FLUSHALL'), end: () => undefined },
  {
    ...{ name: 'lost replies', target: 'redis' },
    begin: ({ redisLinks }, server) => redisLinks[server]?.swallowReplies(0.2, /EVAL|FCALL/i),
    end: ({ redisLinks }, server) => redisLinks[server]?.swallowReplies(0),
  },
  {
    ...{ name: 'cut', target: 'redis' },
    begin: ({ redisLinks }, server) => redisLinks[server]?.cut(),
    end: ({ redisLinks }, server) => redisLinks[server]?.heal(),
  },
  {
    name: 'pause',
    target: 'ledger',
    begin: ({ postgres }) => postgres.pause(),
    end: ({ postgres }) => postgres.resume(),
  },
  {
    name: 'crash',
    target: 'ledger',
    begin: ({ postgres }) => postgres.kill(),
    end: ({ postgres }) => postgres.restart('kept'),
  },
  {
    ...{ name: 'lost replies', target: 'ledger' },
    begin: ({ ledgerLinks }, server) => ledgerLinks[server]?.swallowReplies(0.2, /commit/i),
    end: ({ ledgerLinks }, server) => ledgerLinks[server]?.swallowReplies(0),
  },
  {
    ...{ name: 'slow', target: 'ledger' },
    begin: ({ ledgerLinks }, server) => ledgerLinks[server]?.setLatency({ ms: 100, jitterMs: 200 }),
    end: ({ ledgerLinks }, server) => ledgerLinks[server]?.heal(),
  },
  {
    ...{ name: 'cut', target: 'ledger' },
    begin: ({ ledgerLinks }, server) => ledgerLinks[server]?.cut(),
    end: ({ ledgerLinks }, server) => ledgerLinks[server]?.heal(),
  },
  {
    name: 'crash',
    target: 'server',
    begin: ({ servers }, index) => servers[index]?.kill(),
    end: ({ servers }, index) => servers[index]?.restart(),
  },
  {
    name: 'pause',
    target: 'server',
    begin: ({ servers }, index) => servers[index]?.pause(),
    end: ({ servers }, index) => servers[index]?.resume(),
  },
]

const BREATH_MS_MAX = 1_500
const FAULT_MS_MAX = 4_000

export interface Nemesis {
  /** Breaks nothing any more, and everything is mended. */
  stop(): Promise<void>
  /** What was broken how often. */
  readonly made: ReadonlyMap<string, number>
}

/** Breaks one thing after the other, as its seed says, until it is stopped. */
export function unleash(laboratory: Laboratory, history: History, random: () => number): Nemesis {
  const made = new Map<string, number>()
  let isStopped = false
  const work = async (): Promise<void> => {
    while (!isStopped) {
      await delay(random() * BREATH_MS_MAX)
      const fault = FAULTS[Math.floor(random() * FAULTS.length)]
      if (fault === undefined || isStopped) continue
      const server = Math.floor(random() * laboratory.servers.length)
      const name = `${fault.target} ${fault.name}`
      made.set(name, (made.get(name) ?? 0) + 1)
      history.fault(fault.name, fault.target, 'begin')
      await fault.begin(laboratory, server)
      await delay(random() * FAULT_MS_MAX)
      await fault.end(laboratory, server)
      history.fault(fault.name, fault.target, 'end')
    }
  }
  const working = work()
  return {
    made,
    async stop() {
      isStopped = true
      await working
    },
  }
}

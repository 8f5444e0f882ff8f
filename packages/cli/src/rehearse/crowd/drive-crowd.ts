import { randomUUID } from 'node:crypto'
import { ConnectionPool } from '../http/connection-pool.ts'
import { Measurements } from '../measure/measurements.ts'
import { Recorder } from '../measure/recorder.ts'
import type { RehearseOptions } from '../options.ts'
import type { Sale } from '../sale/sale.ts'
import { arrivalTimes } from './arrivals.ts'
import type { World } from './caller.ts'
import { seededRandom } from './seeded-random.ts'
import { temperOf } from './temper.ts'
import { TimerWheel } from './timer-wheel.ts'
import { goThrough } from './visit.ts'
import { Visitor } from './visitor.ts'

export interface CrowdParts {
  readonly url: URL
  readonly sale: Sale
  readonly recordsFile: string
  /** An access token for a new visitor; null if guests may join. */
  readonly newToken: ((id: string, name: string) => string) | null
}

/** A crowd on its way through a sale. */
export interface DrivenCrowd {
  readonly measurements: Measurements
  /** Resolves when all visitors have finished, or the crowd was stopped. */
  readonly done: Promise<void>
  openConnections(): number
  recordCount(): number
  /** Stops all visitors; calls under way are left as they are. */
  stop(): void
}

/** Of so many visitors every position is written down; of all others, what they do. */
const WATCHED_MAX = 5_000
/** Longer than the server allows itself for anything. */
const ANSWER_MS_MAX = 30_000
const LAUNCH_MS = 10

/** Lets the crowd come. Arrivals keep to their times, however slowly answers come. */
export function driveCrowd(options: RehearseOptions, parts: CrowdParts): DrivenCrowd {
  const measurements = new Measurements()
  const wheel = new TimerWheel()
  const recorder = new Recorder(parts.recordsFile)
  const { connectionsMax, retriesMax } = options
  const pool = new ConnectionPool({ url: parts.url, connectionsMax, answerMsMax: ANSWER_MS_MAX })
  const world: World = {
    ...{ url: parts.url, pool, wheel, measurements, recorder, retriesMax, isOver: false },
    clockOffsetMs: Number.NEGATIVE_INFINITY,
  }
  const stop = (): void => {
    world.isOver = true
    wheel.stop()
    pool.close()
  }
  const done = letEverybodyCome(options, parts, world).finally(() => {
    stop()
    recorder.close()
  })
  return { measurements, done, openConnections: () => pool.open, recordCount: () => recorder.count, stop }
}

async function letEverybodyCome(options: RehearseOptions, parts: CrowdParts, world: World): Promise<void> {
  const { measurements, wheel } = world
  const times = arrivalTimes(options.arrivals, options.visitors, options.durationMs, options.seed)
  const everyNth = Math.max(1, Math.ceil(options.visitors / WATCHED_MAX))
  const allGone = Promise.withResolvers<void>()
  let next = 0
  const leave = (): void => {
    if (measurements.inside === 0 && (next >= times.length || world.isOver)) allGone.resolve()
  }
  while (next < times.length && !world.isOver) {
    const elapsedMs = performance.now() - measurements.startedAtMs
    while (next < times.length && (times[next] ?? 0) <= elapsedMs) {
      const arrivedAtMs = measurements.startedAtMs + (times[next] ?? 0)
      const visitor = newVisitor(options, parts, world, { index: next, isWatched: next % everyNth === 0 })
      const temper = temperOf(options.crowd, options.seed, next)
      const visit = { world, sale: parts.sale, crowd: options.crowd, temper, visitor, arrivedAtMs }
      next += 1
      measurements.arrived += 1
      measurements.inside += 1
      measurements.now().arrivals += 1
      goThrough(visit)
        .then((outcome) => measurements.ended(outcome), allGone.reject)
        .then(leave, allGone.reject)
    }
    await wheel.sleep(LAUNCH_MS)
  }
  leave()
  await allGone.promise
}

function newVisitor(
  { seed }: RehearseOptions,
  { sale, newToken }: CrowdParts,
  world: World,
  { index, isWatched }: { index: number; isWatched: boolean },
): Visitor {
  const name = `visitor ${index}`
  const accessToken = newToken === null ? null : newToken(randomUUID(), name)
  // A stream of its own: what the network does must not change a visitor's character.
  const random = seededRandom(seed ^ NETWORK, index)
  return new Visitor({ world, sale, name, random, accessToken, isWatched })
}

const NETWORK = 0x6e65

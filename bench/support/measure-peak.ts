import { type CpuSeconds, coresBetween, cpuSeconds } from './cpu-time.ts'
import { requestFor } from './drive.ts'
import { letIn, openHouse, reserve } from './house.ts'
import type { Servers } from './on-servers.ts'
import { type OpenLoopResult, openLoop } from './open-loop.ts'
import { percentile } from './statistics.ts'

export interface PeakStep {
  /** So many views of the event, and as many bookings, were due each second. */
  readonly perSecond: number
  readonly views: Carried
  readonly bookings: Carried
  /** Who kept how many cores busy. */
  readonly cores: string
}

export interface Carried {
  /** Good answers each second, until the last was there. */
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** What was not answered well, in words; empty when everything was. */
  readonly trouble: string
}

export const LATENCY_MS_MAX = 500
/** What a world cup's sale had, and what to try when that is too much for this machine. */
const RATES = [4_200, 3_000, 2_100, 1_500, 1_000, 700, 500, 350, 250]
const SECONDS = 15
const LOWER_SECONDS = 8
const CONNECTIONS = 400
/** With the views beside them there are fewer reservations than without; unless the machine was busier then. */
const SPARE = 1.5

/**
 * Views of an event together with reservations of its seats, one seat each, all different, at a fixed rate; first the
 * full load, then less and less until both are answered in time. `reservations` is what this machine does at most.
 */
export async function measurePeak(servers: Servers, reservations: number): Promise<PeakStep[]> {
  const rates = RATES.filter((rate, index) => index === 0 || rate < reservations)
  const most = rates.map((rate, index) => Math.min(rate, reservations * SPARE) * secondsOf(index))
  const guests = Math.ceil(most.reduce((sum, count) => sum + count, CONNECTIONS))
  const house = await openHouse(servers.server, guests)
  const requests = (await letIn(house, guests)).map((guest, index) => reserve(house, guest, house.seatIds[index] ?? ''))
  const url = new URL(`/api/events/${house.eventId}`, house.url)
  const view = requestFor(url)
  const steps: PeakStep[] = []
  for (const [index, perSecond] of rates.entries()) {
    const loop = { url, perSecond, seconds: secondsOf(index), connections: CONNECTIONS }
    const before = usedBy(servers)
    const started = performance.now()
    const [views, bookings] = await Promise.all([
      openLoop({ ...loop, nextRequest: () => view, status: 200 }),
      openLoop({ ...loop, nextRequest: () => requests.pop() ?? null, status: 201 }),
    ])
    const seconds = (performance.now() - started) / 1_000
    const cores = coresBetween(before, usedBy(servers), seconds)
    const step = { perSecond, views: carried(views, seconds), bookings: carried(bookings, seconds), cores }
    steps.push(step)
    if (isInTime(step)) break
  }
  return steps
}

export function isInTime({ views, bookings }: PeakStep): boolean {
  return [views, bookings].every(({ p99, trouble }) => p99 <= LATENCY_MS_MAX && trouble === '')
}

function secondsOf(index: number): number {
  return index === 0 ? SECONDS : LOWER_SECONDS
}

function carried({ answered, refused, unsent, milliseconds }: OpenLoopResult, seconds: number): Carried {
  const trouble = [
    ...[...refused].map(([code, count]) => `${count} were answered ${code}`),
    ...(unsent > 0 ? [`${unsent} still waited for a connection`] : []),
  ]
  return {
    perSecond: answered / seconds,
    p50: percentile(milliseconds, 0.5),
    p99: percentile(milliseconds, 0.99),
    trouble: trouble.join(', '),
  }
}

function usedBy({ server, postgres, redis }: Servers): CpuSeconds {
  return cpuSeconds({ server: server.pid, PostgreSQL: postgres.pid, Redis: redis.pid, driver: process.pid })
}

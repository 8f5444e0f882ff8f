import type { Client } from 'pg'
import { coresBetween, cpuSeconds } from '../cpu-time.ts'
import { arrive, CONNECTIONS_MAX, type Crowd, PATIENCE_MS, type Visit } from '../http/crowd.ts'
import type { Servers } from '../on-servers.ts'
import { percentile } from '../statistics.ts'
import { letIn, openHouse, reserve } from './house.ts'
import { newAccessToken } from './sale.ts'

/*
 * Bookings by ever more visitors, who retry at once when refused. Only useful answers count: those that arrive while the
 * visitor still waits.
 *
 * The ledger is made slow, so that the machine is not: at its full speed fifty times as many would be 200,000 requests
 * a second, which neither the driver nor the sockets of this machine carry, and the figure would be theirs. Each
 * reservation takes the ledger some milliseconds of sleep inside its transaction, under the lock of the seat map; they add up, as work does.
 */

export interface OverloadStep {
  /** Visitors, as a multiple of what the ledger can serve. */
  readonly times: number
  /** Bookings each second that were answered in time. */
  readonly goodput: number
  readonly tooLatePerSecond: number
  readonly refusalsPerSecond: number
  /** Came each second and found no free connection: the driver's limit, not the server's. */
  readonly lostPerSecond: number
  readonly p50: number
  readonly p99: number
  readonly cores: string
}

export interface Overload {
  readonly steps: readonly OverloadStep[]
  /** From the last arrival of the spike until a whole second was as good again as before it. */
  readonly recoveredMs: number
}

const RESERVATION_MS = 25
/** What such a ledger can do at most. */
const CAPACITY = 1_000 / RESERVATION_MS
const TIMES = [1, 2, 5, 10, 50] as const
const SECONDS = 8
/** Until the number of requests in flight is steady. */
const START_SECONDS = 3
const SPIKE_SECONDS = 3
const RECOVERY_SECONDS = 8
/** What it is used to before and after the spike. */
const USUAL = CAPACITY * 0.8
const RECOVERED_SHARE = 0.9
const GUESTS = CONNECTIONS_MAX + 4_000

export async function measureOverload(servers: Servers): Promise<Overload> {
  const { server, ledger } = servers
  const house = await openHouse(server, GUESTS)
  const guests = await letIn(house, Array.from({ length: GUESTS }, newAccessToken))
  const bookings = guests.map((guest, index) => reserve(house, guest, house.seatIds[index] ?? ''))
  await slowDown(ledger)
  const crowd = { url: new URL(house.url), bookings }
  await arrive(crowd, { perSecond: CAPACITY, seconds: START_SECONDS })
  const steps: OverloadStep[] = []
  for (const times of TIMES) {
    const step = await measureStep(servers, crowd, times)
    console.log(`${times}×: ${step.goodput.toFixed(1)} a second booked in time`)
    steps.push(step)
  }
  return { steps, recoveredMs: await measureRecovery(crowd) }
}

async function slowDown(ledger: Client): Promise<void> {
  await ledger.query(`
    create function take_time() returns trigger language plpgsql as
      'begin perform pg_sleep(${RESERVATION_MS / 1_000}); return new; end';
    create trigger take_time before insert on reservations for each row execute function take_time()`)
}

async function measureStep({ server, postgres, redis }: Servers, crowd: Crowd, times: number): Promise<OverloadStep> {
  const used = () => cpuSeconds({ server: server.pid, PostgreSQL: postgres.pid, Redis: redis.pid, driver: process.pid })
  const seconds = START_SECONDS + SECONDS
  const [before, startedAt] = [used(), performance.now()]
  const { visits, lost } = await arrive(crowd, { perSecond: CAPACITY * times, seconds })
  const cores = coresBetween(before, used(), (performance.now() - startedAt) / 1_000)
  const counted = visits.filter(({ endedAt }) => endedAt > START_SECONDS * 1_000 && endedAt <= seconds * 1_000)
  const booked = counted.filter(({ isBooked }) => isBooked)
  const took = booked.filter(isGood).map(({ tookMs }) => tookMs)
  return {
    times,
    goodput: took.length / SECONDS,
    tooLatePerSecond: (booked.length - took.length) / SECONDS,
    refusalsPerSecond: counted.reduce((sum, { refusals }) => sum + refusals, 0) / SECONDS,
    lostPerSecond: lost / seconds,
    p50: took.length === 0 ? Number.NaN : percentile(took, 0.5),
    p99: took.length === 0 ? Number.NaN : percentile(took, 0.99),
    cores,
  }
}

const isGood = ({ isBooked, tookMs }: Visit): boolean => isBooked && tookMs <= PATIENCE_MS

/** A spike on top of the usual load: how long until the usual visitors are served again without intervention. */
async function measureRecovery(crowd: Crowd): Promise<number> {
  const seconds = SPIKE_SECONDS + RECOVERY_SECONDS
  const [{ visits }] = await Promise.all([
    arrive(crowd, { perSecond: USUAL, seconds }),
    arrive(crowd, { perSecond: CAPACITY * Math.max(...TIMES), seconds: SPIKE_SECONDS }),
  ])
  for (let fromMs = 0; fromMs + 1_000 <= RECOVERY_SECONDS * 1_000; fromMs += 100) {
    const from = SPIKE_SECONDS * 1_000 + fromMs
    const inSecond = visits.filter((visit) => isGood(visit) && visit.endedAt >= from && visit.endedAt < from + 1_000)
    if (inSecond.length >= USUAL * RECOVERED_SHARE) return fromMs
  }
  return Number.POSITIVE_INFINITY
}

import { type CpuSeconds, coresBetween, cpuSeconds } from '../cpu-time.ts'
import { requestFor } from '../http/http-socket.ts'
import { type OpenLoopResult, openLoop } from '../http/open-loop.ts'
import type { Servers } from '../on-servers.ts'
import { percentile } from '../statistics.ts'
import { followMap, type House, letIn, openHouse, reserve } from './house.ts'
import { inTurn, newAccessToken, once } from './sale.ts'

export interface PeakStep {
  /** So many views of the event, and as many bookings, were due each second. */
  readonly perSecond: number
  readonly seconds: number
  readonly views: Carried
  readonly bookings: Carried
  /** How many cores each process kept busy. */
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
const RATES = [4_200, 3_000, 2_100, 1_500, 1_000, 700, 500, 350]
const SECONDS = 10
const LOWER_SECONDS = 6
/** What was carried for a moment has to be carried for as long as a rush lasts. */
const WHOLE_SECONDS = 60
const CONNECTIONS = 400
/** No event has more than 200,000 seats: a minute of the full load sells out one event after the other. */
const HOUSE_SEATS_MAX = 150_000

/**
 * Views of an event together with reservations of its seats, one seat each, all different, at a fixed rate; first the
 * full load, then less and less until both are answered in time, also for a minute.
 */
export async function measurePeak(servers: Servers): Promise<PeakStep[]> {
  const steps: PeakStep[] = []
  for (const [index, perSecond] of RATES.entries()) {
    const seconds = index === 0 ? SECONDS : LOWER_SECONDS
    const step = await carry(servers, perSecond, seconds)
    steps.push(step)
    if (!isInTime(step)) continue
    const whole = await carry(servers, perSecond, WHOLE_SECONDS)
    steps.push(whole)
    if (isInTime(whole)) break
  }
  return steps
}

async function carry(servers: Servers, perSecond: number, seconds: number): Promise<PeakStep> {
  const guests = perSecond * seconds + CONNECTIONS
  const sales = await openSales(servers, guests)
  // A visitor who chooses a seat looks at the map first, so the server has a copy by then.
  for (const { house } of sales) await followMap(house)
  const loop = { url: new URL(servers.server.url), perSecond, seconds, connections: CONNECTIONS }
  const before = usedBy(servers)
  const started = performance.now()
  const [views, bookings] = await Promise.all([
    openLoop({ ...loop, nextRequest: inTurn(sales.map(({ view }) => view)), status: 200 }),
    openLoop({ ...loop, nextRequest: once(sales.flatMap((sale) => sale.bookings)), status: 201 }),
  ])
  const took = (performance.now() - started) / 1_000
  const cores = coresBetween(before, usedBy(servers), took)
  return { perSecond, seconds, views: carried(views, took), bookings: carried(bookings, took), cores }
}

interface Sale {
  readonly house: House
  readonly view: Buffer
  readonly bookings: readonly Buffer[]
}

/** As many events as this many guests need; every guest is admitted and has a seat of their own to book. */
async function openSales({ server }: Servers, guests: number): Promise<Sale[]> {
  const events = Math.ceil(guests / HOUSE_SEATS_MAX)
  const sales: Sale[] = []
  for (let event = 0; event < events; event += 1) {
    const house = await openHouse(server, Math.ceil(guests / events))
    const inside = await letIn(house, Array.from({ length: Math.ceil(guests / events) }, newAccessToken))
    sales.push({
      house,
      view: requestFor(new URL(`/api/events/${house.eventId}`, house.url)),
      bookings: inside.map((guest, index) => reserve(house, guest, house.seatIds[index] ?? '')),
    })
  }
  return sales
}

export function isInTime({ views, bookings }: PeakStep): boolean {
  return [views, bookings].every(({ p99, trouble }) => p99 <= LATENCY_MS_MAX && trouble === '')
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

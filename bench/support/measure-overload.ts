import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Server } from '@seatwise/testbench'
import { onAnswers, open } from './drive.ts'
import { letIn, openHouse, reserve } from './house.ts'
import type { Servers } from './on-servers.ts'
import { percentile } from './statistics.ts'

/*
 * Bookings by ever more people at once, all of whom try again at once when they are refused, whatever they are told. What
 * counts is what people have use for: an answer that comes while they still wait for it.
 */

export interface OverloadStep {
  /** So many times as many people as keep it busy. */
  readonly times: number
  /** Bookings each second that were answered in time. */
  readonly goodput: number
  readonly refusedPerSecond: number
  readonly p50: number
  readonly p99: number
}

export interface Overload {
  readonly steps: readonly OverloadStep[]
  /** From the end of the spike until a whole second was as good again as before it. */
  readonly recoveredMs: number
}

/** Keeps the machine busy: more do not get more done. */
const CLIENTS = 200
const TIMES = [1, 2, 5, 10, 50] as const
const SECONDS = 5
/** All come at the same moment; after this, as many come as have gone. */
const START_SECONDS = 1
const SPIKE_SECONDS = 2
const RECOVERY_SECONDS = 7
/** After this nobody has use for the answer any more. */
const PATIENCE_MS = 2_000
/** More than it can do, until that is known; and how much more than that to be ready for. */
const WARM_UP_RATE = 5_000
const SPARE = 1.6
const RECOVERED_SHARE = 0.9

export async function measureOverload({ server }: Servers): Promise<Overload> {
  let most = WARM_UP_RATE
  const steps: OverloadStep[] = []
  for (const times of [1, ...TIMES]) {
    const seconds = START_SECONDS + SECONDS
    const bookings = await invite(server, CLIENTS * times, seconds, most)
    const step = { times, ...summarise(await rush(server, bookings, CLIENTS * times, seconds)) }
    steps.push(step)
    // What a cold server did says little.
    if (steps.length > 1) most = Math.max(...steps.map(({ goodput }) => goodput))
  }
  // The first was to warm up.
  steps.shift()
  return { steps, recoveredMs: await measureRecovery(server, most, steps[0]?.goodput ?? 0) }
}

/** Lets in more than can be served in that time, outside of what is measured, to a house of their own. */
async function invite(server: Server, clients: number, seconds: number, perSecond: number): Promise<Buffer[]> {
  const count = Math.ceil(perSecond * SPARE * seconds) + clients
  const house = await openHouse(server, count)
  const guests = await letIn(house, count)
  return guests.map((guest, index) => reserve(house, guest, house.seatIds[index] ?? ''))
}

interface Answered {
  readonly atMs: number
  readonly tookMs: number
  readonly isGood: boolean
}

/** People in so many browsers, each wanting one booking after the other; a refused one is sent again at once. */
async function rush(server: Server, bookings: Buffer[], clients: number, seconds: number): Promise<Answered[]> {
  const sockets = await Promise.all(Array.from({ length: clients }, () => open(new URL(server.url))))
  const answers: Answered[] = []
  const ended = Promise.withResolvers<void>()
  const startedAt = performance.now()
  const end = startedAt + seconds * 1_000
  let underWay = clients
  const work = (socket: Socket): void => {
    let booking = bookings.pop()
    let wantedAt = performance.now()
    const send = (): void => {
      if (booking === undefined) ended.reject(new Error('There are too few guests'))
      else if (performance.now() < end) socket.write(booking)
      else if (--underWay === 0) ended.resolve()
    }
    onAnswers(socket, (status) => {
      const now = performance.now()
      const isBooked = status === 201
      if (!isBooked && status !== 503 && status !== 429) ended.reject(new Error(`A booking was answered ${status}`))
      answers.push({ atMs: now - startedAt, tookMs: now - wantedAt, isGood: isBooked && now - wantedAt <= PATIENCE_MS })
      if (isBooked) booking = bookings.pop()
      // Whoever has waited for longer than anybody has patience is gone, and the next one comes.
      if (isBooked || now - wantedAt > PATIENCE_MS) wantedAt = now
      send()
    })
    socket.on('error', ended.reject)
    send()
  }
  for (const socket of sockets) work(socket)
  try {
    await ended.promise
    return answers
  } finally {
    for (const socket of sockets) socket.on('error', () => undefined).destroy()
  }
}

function summarise(answers: readonly Answered[]): Omit<OverloadStep, 'times'> {
  const counted = answers.filter(
    ({ atMs }) => atMs > START_SECONDS * 1_000 && atMs <= (START_SECONDS + SECONDS) * 1_000,
  )
  const good = counted.filter(({ isGood }) => isGood)
  const took = good.map(({ tookMs }) => tookMs)
  return {
    goodput: good.length / SECONDS,
    refusedPerSecond: (counted.length - good.length) / SECONDS,
    p50: took.length === 0 ? Number.NaN : percentile(took, 0.5),
    p99: took.length === 0 ? Number.NaN : percentile(took, 0.99),
  }
}

/** A spike of all of them, and then the usual again: how long until all is well without anybody doing anything. */
async function measureRecovery(server: Server, most: number, usual: number): Promise<number> {
  const many = CLIENTS * Math.max(...TIMES)
  const spike = await invite(server, many, SPIKE_SECONDS, most)
  const after = await invite(server, CLIENTS, RECOVERY_SECONDS, most)
  // The usual ones do not wait until the last of the others has been answered.
  const [, answers] = await Promise.all([
    rush(server, spike, many, SPIKE_SECONDS),
    delay(SPIKE_SECONDS * 1_000).then(() => rush(server, after, CLIENTS, RECOVERY_SECONDS)),
  ])
  for (let fromMs = 0; fromMs + 1_000 <= RECOVERY_SECONDS * 1_000; fromMs += 100) {
    const inSecond = answers.filter(({ isGood, atMs }) => isGood && atMs >= fromMs && atMs < fromMs + 1_000)
    if (inSecond.length >= usual * RECOVERED_SHARE) return fromMs
  }
  return Number.POSITIVE_INFINITY
}

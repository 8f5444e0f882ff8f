import type { Socket } from 'node:net'
import { onAnswers, open, requestFor } from './http-socket.ts'

/*
 * Visitors who arrive at a fixed rate, whether or not earlier ones were served, and who retry at once when refused,
 * ignoring Retry-After, until their patience ends.
 */

export interface Crowd {
  readonly url: URL
  /** Each visitor takes one, and returns it when leaving without a booking. */
  readonly bookings: Buffer[]
}

export interface Arrivals {
  readonly perSecond: number
  readonly seconds: number
}

/** How one visit ended. Times in ms since the first visitor came. */
export interface Visit {
  readonly endedAt: number
  readonly tookMs: number
  readonly isBooked: boolean
  readonly refusals: number
}

/** After this the visitor is gone, and an answer is useless. */
export const PATIENCE_MS = 2_000
/** Refusals are kept back for up to five seconds. */
const CONNECTED_FOR_SECONDS = 6
/** Less than a process may have open. A visitor who finds no free connection is lost, and counted. */
export const CONNECTIONS_MAX = 11_000
/** Connecting is not what is measured: it is done before, a few at a time, because a backlog is short. */
const CONNECTED_AT_ONCE = 200
const TICK_MS = 5

/** Resolves when the last of them has booked or is gone. */
export async function arrive(crowd: Crowd, arrivals: Arrivals): Promise<{ visits: Visit[]; lost: number }> {
  const { perSecond, seconds } = arrivals
  const sockets = await connect(crowd.url, Math.min(CONNECTIONS_MAX, perSecond * CONNECTED_FOR_SECONDS))
  const free = [...sockets]
  const visits: Visit[] = []
  const ended = Promise.withResolvers<void>()
  const startedAt = performance.now()
  let came = 0
  let lost = 0
  let isOver = false

  function come(): void {
    const elapsed = performance.now() - startedAt
    const due = Math.floor((Math.min(elapsed, seconds * 1_000) / 1_000) * perSecond)
    for (; came < due; came += 1) {
      // In turn: a server hangs up on connections that never say anything.
      const socket = free.shift()
      if (socket === undefined) lost += 1
      else visit(socket)
    }
    isOver = elapsed >= seconds * 1_000
    if (isOver && free.length === sockets.length) ended.resolve()
  }

  function visit(socket: Socket): void {
    const booking = takeBooking(crowd)
    const wantedAt = performance.now()
    let refusals = 0
    socket.removeAllListeners('data')
    onAnswers(socket, (status) => {
      const now = performance.now()
      const isBooked = status === 201
      if (!isBooked && status !== 503 && status !== 429) ended.reject(new Error(`A booking was answered ${status}`))
      if (!isBooked) refusals += 1
      if (!isBooked && now - wantedAt < PATIENCE_MS) return void socket.write(booking)
      visits.push({ endedAt: now - startedAt, tookMs: now - wantedAt, isBooked, refusals })
      if (!isBooked) crowd.bookings.push(booking)
      return void free.push(socket)
    })
    socket.write(booking)
  }

  for (const socket of sockets) {
    socket.on('error', ended.reject)
    socket.on('close', () => ended.reject(new Error(`${crowd.url.href} closed a connection`)))
  }
  const timer = setInterval(come, TICK_MS)
  try {
    await ended.promise
    return { visits, lost }
  } finally {
    clearInterval(timer)
    for (const socket of sockets) {
      socket.removeAllListeners('close').on('error', () => undefined)
      socket.destroy()
    }
  }
}

async function connect(url: URL, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const more = Math.min(CONNECTED_AT_ONCE, count - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length: more }, () => greet(url)))))
  }
  return sockets
}

/** A connection that never said anything would be hung up on while the others are made. */
async function greet(url: URL): Promise<Socket> {
  const socket = await open(url)
  const answered = Promise.withResolvers<void>()
  onAnswers(socket, () => answered.resolve())
  socket.once('error', answered.reject)
  socket.write(requestFor(new URL('/health/live', url)))
  await answered.promise
  socket.removeListener('error', answered.reject)
  return socket
}

function takeBooking({ bookings }: Crowd): Buffer {
  const booking = bookings.shift()
  if (booking === undefined) throw new Error('There are too few guests')
  return booking
}

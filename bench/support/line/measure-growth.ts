import type { Line } from '@seatwise/line'
import type { Redis } from '@seatwise/testbench'
import { type LineRoom, newVisitors, onRedisLine, openLineRoom } from './line-room.ts'
import { scriptMicroseconds, usedMemoryBytes } from './redis-figures.ts'

/** What a line of this length costs Redis, in microseconds of its scripts, and in memory. */
export interface GrowthPoint {
  readonly waiting: number
  readonly join: number
  /** An exact answer to a visitor who asks for their position. */
  readonly look: number
  /** The public document of the room, built once a second. */
  readonly now: number
  readonly bytesEach: number
}

const LENGTHS = [1_000, 10_000, 100_000, 1_000_000] as const
const BATCH = 100
/** A line grows by no more than this share of its length while it is measured, and by no more than so many batches. */
const GROWTH_MAX = 0.2
const BATCHES_MAX = 100
/** As many joins at every length: where the line is short, in several rooms. */
const JOINS = BATCH * BATCHES_MAX
const NOW_READS = 50

/** From a thousand to a million waiting. About half a minute. */
export async function measureGrowth(redis: Redis): Promise<GrowthPoint[]> {
  return await onRedisLine(redis, async (line) => {
    // Scripts are loaded, and Redis has met them.
    await measureAt(line, redis.port, 1_000)
    const points: GrowthPoint[] = []
    for (const waiting of LENGTHS) points.push(await measureAt(line, redis.port, waiting))
    return points
  })
}

async function measureAt(line: Line, port: number, waiting: number): Promise<GrowthPoint> {
  const batches = Math.min(BATCHES_MAX, Math.floor((waiting * GROWTH_MAX) / BATCH))
  const rooms = Math.ceil(BATCHES_MAX / batches)
  const sums = { join: 0, look: 0, now: 0, bytes: 0 }
  for (let count = 0; count < rooms; count += 1) {
    const empty = await usedMemoryBytes(port)
    const room = await openLineRoom(line)
    await room.fill(waiting - (batches * BATCH) / 2)
    sums.bytes += ((await usedMemoryBytes(port)) - empty) / room.waiting()
    const { join, look } = await measureSteps(room, port, batches)
    sums.join += join
    sums.look += look
    sums.now += (await spent(port, () => repeat(NOW_READS, () => room.readNow()))) / NOW_READS
    await room.drop()
  }
  const joins = Math.max(JOINS, rooms * batches * BATCH)
  return {
    waiting,
    join: sums.join / joins,
    look: sums.look / joins,
    now: sums.now / rooms,
    bytesEach: sums.bytes / rooms,
  }
}

async function measureSteps(room: LineRoom, port: number, batches: number): Promise<{ join: number; look: number }> {
  const sums = { join: 0, look: 0 }
  for (let batch = 0; batch < batches; batch += 1) {
    const visitors = newVisitors(BATCH)
    sums.join += await spent(port, () => room.join(visitors))
    sums.look += await spent(port, () => room.look())
  }
  await room.trim()
  return sums
}

async function spent(port: number, work: () => Promise<void>): Promise<number> {
  const before = await scriptMicroseconds(port)
  await work()
  return (await scriptMicroseconds(port)) - before
}

async function repeat(times: number, work: () => Promise<void>): Promise<void> {
  for (let count = 0; count < times; count += 1) await work()
}

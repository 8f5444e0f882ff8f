import { type Line, openMemoryLine } from '@seatwise/line'
import type { Redis } from '@seatwise/testbench'
import { percentile } from '../statistics.ts'
import { type LineRoom, newVisitors, onRedisLine, openLineRoom } from './line-room.ts'
import { scriptMicroseconds, usedMemoryBytes } from './redis-figures.ts'

/** Microseconds of a join with few and with many waiting. */
export interface JoinCost {
  readonly few: number
  readonly many: number
  readonly ratio: number
}

/** The same, and what a join cost on average while the line grew from empty to many. */
export interface GrowthCost extends JoinCost {
  readonly average: number
}

export const FEW = 1_000
export const MANY = 1_000_000
/** Many short ones, of which the quarter counts that was disturbed least, by the collector or by the machine. */
const ROUNDS = 80
const UNDISTURBED = 0.25
const BATCH = 100
/** Batches measured in a round, of few and of many: as long as a line of few stays near that length. */
const BATCHES = 10
/**
 * The rounds begin so many joins before there are many waiting, and end as many after. Tables double at 2^20 entries,
 * soon after a million, and joins pay for it for a while: what that costs is in the average over the whole growth.
 */
const BEFORE_MANY = (BATCH * BATCHES * (ROUNDS + 1)) / 2

/** The line on Redis: what a join costs there, in the time of its script, and what a waiting visitor occupies. */
export async function measureRedisLine(
  redis: Redis,
): Promise<{ cost: GrowthCost; bytesAt: { waiting: number; each: number }[] }> {
  return await onRedisLine(redis, async (line) => {
    const empty = await usedMemoryBytes(redis.port)
    const room = await openLineRoom(line)
    const before = await scriptMicroseconds(redis.port)
    const bytesAt = []
    for (const waiting of [MANY / 10, MANY - BEFORE_MANY]) {
      await room.fill(waiting)
      bytesAt.push({ waiting, each: ((await usedMemoryBytes(redis.port)) - empty) / waiting })
    }
    const average = ((await scriptMicroseconds(redis.port)) - before) / room.waiting()
    const cost = await compareCost(line, room, () => scriptMicroseconds(redis.port))
    return { cost: { ...cost, average }, bytesAt }
  })
}

/** The line in memory: what a join costs there, by the clock. */
export async function measureMemoryLine(): Promise<GrowthCost> {
  const started = performance.now()
  const { line, room } = await fillMemoryLine(MANY - BEFORE_MANY)
  const average = ((performance.now() - started) * 1_000) / room.waiting()
  return { ...(await compareCost(line, room, async () => performance.now() * 1_000)), average }
}

export async function fillMemoryLine(waiting: number): Promise<{ line: Line; room: LineRoom }> {
  const line = openMemoryLine({ clock: Date.now })
  const room = await openLineRoom(line)
  await room.fill(waiting)
  return { line, room }
}

/**
 * Alternating, so that whatever else the machine does disturbs both alike. The small rooms are opened before, like the
 * large one: what was made a moment ago is cheaper to change than what has been there for a while.
 */
async function compareCost(line: Line, large: LineRoom, readMicroseconds: () => Promise<number>): Promise<JoinCost> {
  const smallRooms: LineRoom[] = []
  // One more to warm up, which does not count.
  while (smallRooms.length <= ROUNDS) {
    const small = await openLineRoom(line)
    await small.fill(FEW - (BATCH * BATCHES) / 2)
    smallRooms.push(small)
  }
  const rounds: Omit<JoinCost, 'ratio'>[] = []
  for (const [round, small] of smallRooms.entries()) {
    const joins = BATCHES * BATCH
    const few = (await joinBatches(small, readMicroseconds)) / joins
    const many = (await joinBatches(large, readMicroseconds)) / joins
    if (round > 0) rounds.push({ few, many })
  }
  for (const small of smallRooms) await small.drop()
  const few = percentile(
    rounds.map((round) => round.few),
    UNDISTURBED,
  )
  const many = percentile(
    rounds.map((round) => round.many),
    UNDISTURBED,
  )
  return { few, many, ratio: many / few }
}

async function joinBatches(room: LineRoom, readMicroseconds: () => Promise<number>): Promise<number> {
  const batches = Array.from({ length: BATCHES }, () => newVisitors(BATCH))
  const before = await readMicroseconds()
  for (const batch of batches) await room.join(batch)
  const spent = (await readMicroseconds()) - before
  await room.trim()
  return spent
}

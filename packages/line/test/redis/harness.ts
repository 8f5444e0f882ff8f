import { redisPrefix } from '@seatwise/testbench'
import { connectRedis, openRedisLine, parseRedisUrl, type RedisTarget } from '../../src/index.ts'
import type { RedisConnection } from '../../src/redis/connection/connection.ts'
import { epochKey, roomKey } from '../../src/redis/scripts/keys.ts'
import type { LineHarness } from '../contract/harness.ts'

export interface RedisHarness extends LineHarness {
  readonly connection: RedisConnection
  readonly prefix: string
}

/** The line on the Redis that all test files share, under a prefix of its own. */
export function openRedisHarness(): Promise<RedisHarness> {
  const { url, prefix } = redisPrefix()
  return openHarnessAt(url, prefix)
}

export async function openHarnessAt(
  url: string,
  prefix: string,
  onError: (error: unknown) => void = fail,
): Promise<RedisHarness> {
  const connection = await connectRedis(targetOf(url), { onError })
  const line = openRedisLine({ connection, prefix, onCleaningError: fail })
  return {
    line,
    connection,
    prefix,
    advance: (room, ms) => advance(connection, prefix, room, ms),
    close: () => line.close(),
  }
}

export function targetOf(url: string): RedisTarget {
  const parsed = parseRedisUrl(url)
  if (parsed.status === 'bad') throw new Error(parsed.problem)
  return parsed.target
}

/** Pushes the room's last instant ahead; once it is ahead of Redis's clock it moves only when told. */
async function advance(connection: RedisConnection, prefix: string, room: string, ms: number): Promise<void> {
  const epoch = Number(await connection.send(room, ['GET', epochKey(prefix, room)]))
  const key = roomKey(prefix, room, epoch, 'room')
  const [seconds = 0, microseconds = 0] = ((await connection.send(key, ['TIME'])) as string[]).map(Number)
  const last = Number(await connection.send(key, ['HGET', key, 'now']))
  const now = Math.max(last, seconds * 1_000 + Math.floor(microseconds / 1_000))
  await connection.send(key, ['HSET', key, 'now', String(now + ms)])
}

function fail(error: unknown): never {
  throw error
}

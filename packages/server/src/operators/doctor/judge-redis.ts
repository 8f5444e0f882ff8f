import type { RedisConnection, RedisTarget } from '@seatwise/line'
import { isLoopback } from '../../kit/index.ts'
import { bad, type Finding, good, weak } from './finding.ts'
import { judgeClock } from './judge-clock.ts'

const VERSION_MIN = 7
/** Our longest script takes some ms. Below this Redis would offer to kill scripts that are merely busy. */
const SCRIPT_MS_MIN = 500
/** Above this share, a crowd that arrives at once may not fit. */
const MEMORY_SHARE_MAX = 0.7

/** Everything that INFO returned, by name. */
export type RedisFacts = ReadonlyMap<string, string>

export async function judgeRedis(
  redis: RedisConnection,
  target: RedisTarget,
  now: () => number = Date.now,
): Promise<Finding[]> {
  const facts = parseInfo(String(await redis.send(null, ['INFO'])))
  const readMs = async () => {
    const [seconds, micros] = (await redis.send(null, ['TIME'])) as [string, string]
    return Number(seconds) * 1_000 + Number(micros) / 1_000
  }
  return [
    ...judgeRedisFacts(facts),
    ...judgeScriptLimit(await readSetting(redis, 'busy-reply-threshold')),
    judgeEncryption(target),
    ...(await judgeCluster(redis)),
    await judgeClock('redis', readMs, now),
  ]
}

export function parseInfo(text: string): RedisFacts {
  return new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(':')
      return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1)] as const]
    }),
  )
}

export function judgeRedisFacts(facts: RedisFacts): Finding[] {
  const read = (name: string) => facts.get(name) ?? 'unknown'
  return [
    judgeVersion(read('redis_version')),
    judgeRole(read('role')),
    judgeEviction(read('maxmemory_policy')),
    judgeMemory(Number(read('used_memory')), Number(read('maxmemory'))),
    judgePersistence(facts),
    judgeReplicas(facts),
  ]
}

function judgeVersion(version: string): Finding {
  const isRecent = Number.parseInt(version, 10) >= VERSION_MIN
  return isRecent
    ? good('redis version', version)
    : bad('redis version', 'redisOld', { version, needed: String(VERSION_MIN) })
}

function judgeRole(role: string): Finding {
  if (role === 'master') return good('redis role', 'primary')
  return bad('redis role', 'redisReplica', { role })
}

/** A room's keys have no expiry, so any other policy may evict visitors who wait. */
function judgeEviction(policy: string): Finding {
  const what = 'redis eviction'
  if (policy === 'noeviction') return good(what, policy)
  return bad(what, 'redisEvicts', { policy })
}

function judgeMemory(used: number, max: number): Finding {
  const what = 'redis memory'
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_024 ** 2)} MB`
  if (max === 0) return weak(what, 'redisUnbounded')
  const said = `${megabytes(used)} of ${megabytes(max)} used; a million visitors take about 220 MB`
  return used <= max * MEMORY_SHARE_MAX
    ? good(what, said)
    : bad(what, 'redisFull', { used: megabytes(used), max: megabytes(max) })
}

/** A lost line is rebuilt, but the rebuild takes time, and up to a second of uncopied changes is lost. */
function judgePersistence(facts: RedisFacts): Finding {
  const what = 'redis persistence'
  if (facts.get('aof_enabled') !== '1') {
    return weak(what, 'redisForgets')
  }
  if (facts.get('aof_last_write_status') !== 'ok') return bad(what, 'redisCannotWrite')
  return good(what, 'append-only file')
}

function judgeReplicas(facts: RedisFacts): Finding {
  const what = 'redis replicas'
  const replicas = Number(facts.get('connected_slaves') ?? 0)
  if (replicas === 0) return weak(what, 'redisAlone')
  if (!facts.has('min_slaves_good_slaves')) {
    return weak(what, 'redisUnguarded', { replicas: String(replicas) })
  }
  return good(what, `${replicas}`)
}

/** Null where a hosted Redis forbids CONFIG; then there is no finding. */
export function judgeScriptLimit(milliseconds: number | null): Finding[] {
  const what = 'redis scripts'
  if (milliseconds === null) return []
  if (milliseconds === 0 || milliseconds >= SCRIPT_MS_MIN)
    return [good(what, `may take ${milliseconds === 0 ? 'any time' : `${milliseconds} ms`}`)]
  return [bad(what, 'redisScripts', { limit: String(milliseconds) })]
}

function judgeEncryption({ tls, nodes }: RedisTarget): Finding {
  const what = 'redis encryption'
  if (tls) return good(what, 'the connection is encrypted')
  if (nodes.every(({ host }) => isLoopback(host))) return good(what, 'the connection does not leave this machine')
  return weak(what, 'redisPlain')
}

async function judgeCluster(redis: RedisConnection): Promise<Finding[]> {
  if (redis.kind !== 'cluster') return []
  const facts = parseInfo(String(await redis.send(null, ['CLUSTER', 'INFO'])))
  const state = facts.get('cluster_state') ?? 'unknown'
  if (state === 'ok') return [good('redis cluster', `${facts.get('cluster_known_nodes')} nodes, all slots served`)]
  return [bad('redis cluster', 'redisCluster', { state })]
}

async function readSetting(redis: RedisConnection, name: string): Promise<number | null> {
  try {
    const answer = await redis.send(null, ['CONFIG', 'GET', name])
    const value = Array.isArray(answer) ? answer[1] : (answer as Record<string, unknown> | null)?.[name]
    return value === undefined ? null : Number(value)
  } catch (error) {
    // Hosted services rename or forbid CONFIG; the other checks have shown any other problem.
    if (error instanceof Error && /unknown command|NOPERM|not allowed/i.test(error.message)) return null
    throw error
  }
}

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, startChild } from '../child.ts'
import { findBinary, freePort, removeFolder, temporaryFolder } from '../machine.ts'
import { waitForStart } from '../wait-for-start.ts'
import { waitUntil } from '../wait-until.ts'
import { answersPing, type Redis, startRedis } from './redis.ts'
import { redisCommand } from './redis-admin.ts'

export interface RedisSentinel {
  /** The Sentinels and the name of the primary, as REDIS_URL takes them. */
  readonly url: string
  /** The primary at the start; after a failover it may have become the replica. */
  readonly primary: Redis
  readonly replica: Redis
  readonly sentinels: readonly { readonly port: number; readonly pid: number }[]
  /** The port of the Redis that the Sentinels call the primary now. */
  primaryPort(): Promise<number>
  /** Makes the Sentinels promote the replica, and waits until they say so. */
  failOver(): Promise<void>
  discard(): Promise<void>
}

const PRIMARY_NAME = 'seatwise'

export interface SentinelOptions {
  sentinels?: number
  /** How long a Redis may be silent before it is taken for lost. On a busy machine a second is soon over. */
  downAfterMs?: number
}

/** Starts a primary, a replica that follows it, and Sentinels that know both. */
export async function startSentinel({
  sentinels: count = 1,
  downAfterMs = 1_000,
}: SentinelOptions = {}): Promise<RedisSentinel> {
  const undo: (() => Promise<void>)[] = []
  const discard = async (): Promise<void> => {
    for (const step of undo.reverse()) await step()
  }
  try {
    return { ...(await startAll(count, downAfterMs, undo)), discard }
  } catch (error) {
    await discard()
    throw error
  }
}

async function startAll(
  count: number,
  downAfterMs: number,
  undo: (() => Promise<void>)[],
): Promise<Omit<RedisSentinel, 'discard'>> {
  const primary = await startRedis({ args: ['--repl-diskless-sync-delay', '0'] })
  undo.push(() => primary.discard())
  const replica = await startRedis({ args: ['--replicaof', '127.0.0.1', String(primary.port)] })
  undo.push(() => replica.discard())
  await waitUntil('the replica follows the primary', async () =>
    String(await redisCommand(replica.port, 'INFO', 'replication')).includes('master_link_status:up'),
  )
  const sentinels: Sentinel[] = []
  for (let index = 0; index < count; index += 1) {
    const sentinel = await launchSentinel(primary.port, count, downAfterMs)
    sentinels.push(sentinel)
    undo.push(() => discardSentinel(sentinel))
  }
  await waitUntil(
    'every Sentinel knows the replica and the other Sentinels',
    () => Promise.all(sentinels.map(({ port }) => knowsAll(port, count))).then((answers) => answers.every(Boolean)),
    { timeoutMs: 30_000 },
  )
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${PRIMARY_NAME}`,
    primary,
    replica,
    sentinels: sentinels.map(({ port, child }) => ({ port, pid: child.pid })),
    primaryPort: () => primaryPort(sentinels),
    failOver: () => failOver(sentinels),
  }
}

async function primaryPort(sentinels: readonly Sentinel[]): Promise<number> {
  const answer = await ask(sentinels, 'GET-MASTER-ADDR-BY-NAME')
  if (!Array.isArray(answer)) throw new Error(`The Sentinel knows no primary: ${JSON.stringify(answer)}`)
  return Number(answer[1])
}

async function failOver(sentinels: readonly Sentinel[]): Promise<void> {
  const before = await primaryPort(sentinels)
  // While the machine is busy a Sentinel may take the replica for dead, and then refuses.
  const isAccepted = async (): Promise<boolean> => (await ask(sentinels, 'FAILOVER')) === 'OK'
  await waitUntil('the Sentinel agrees to promote the replica', isAccepted, { timeoutMs: 30_000, everyMs: 100 })
  await waitUntil('the replica was promoted', async () => (await primaryPort(sentinels)) !== before, {
    timeoutMs: 30_000,
  })
}

async function ask(sentinels: readonly Sentinel[], question: string): Promise<unknown> {
  const [first] = sentinels
  if (first === undefined) throw new Error('Start at least one Sentinel')
  return redisCommand(first.port, 'SENTINEL', question, PRIMARY_NAME)
}

async function discardSentinel({ child, folder }: Sentinel): Promise<void> {
  await child.kill()
  await removeFolder(folder)
}

interface Sentinel {
  port: number
  folder: string
  child: Child
}

async function launchSentinel(primaryPort: number, count: number, downAfterMs: number): Promise<Sentinel> {
  const [port, folder] = await Promise.all([freePort(), temporaryFolder()])
  const quorum = Math.floor(count / 2) + 1
  const file = join(folder, 'sentinel.conf')
  const settings = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${JSON.stringify(folder)}`,
    `sentinel monitor ${PRIMARY_NAME} 127.0.0.1 ${primaryPort} ${quorum}`,
    `sentinel down-after-milliseconds ${PRIMARY_NAME} ${downAfterMs}`,
    `sentinel failover-timeout ${PRIMARY_NAME} 5000`,
  ]
  await writeFile(file, `${settings.join('\n')}\n`)
  const binary = findBinary('redis-server', 'redis-server 7 or newer (Debian: apt-get install redis-server)')
  const child = await startChild(`redis-sentinel:${port}`, binary, [file, '--sentinel'])
  await waitForStart(child, () => answersPing(port))
  return { port, folder, child }
}

async function knowsAll(port: number, count: number): Promise<boolean> {
  const answer = await redisCommand(port, 'SENTINEL', 'MASTER', PRIMARY_NAME)
  if (!Array.isArray(answer)) return false
  const field = (name: string): string => String(answer[answer.indexOf(name) + 1])
  return field('num-slaves') === '1' && field('num-other-sentinels') === String(count - 1)
}

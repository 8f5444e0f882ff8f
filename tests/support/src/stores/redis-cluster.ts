import { freePort } from '../machine.ts'
import { waitUntil } from '../wait-until.ts'
import { type Redis, startRedis } from './redis.ts'
import { redisCommand } from './redis-admin.ts'

export interface RedisCluster {
  /** All nodes, as REDIS_URL takes them. */
  readonly url: string
  /** The masters first, then their replicas in the same order. */
  readonly nodes: readonly Redis[]
  discard(): Promise<void>
}

const SLOTS = 16_384
const MASTERS = 3

/** Starts a Redis Cluster of three masters, each with a replica if that is asked for. */
export async function startCluster({ replicas = false } = {}): Promise<RedisCluster> {
  const nodes = await Promise.all(Array.from({ length: replicas ? 2 * MASTERS : MASTERS }, startNode))
  const discard = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.discard()))
  }
  try {
    await shareSlots(nodes.slice(0, MASTERS))
    await introduce(nodes)
    await waitUntil('every node of the cluster is content', () => agree(nodes), CLUSTER_PATIENCE)
    await followMasters(nodes)
  } catch (error) {
    await discard()
    throw error
  }
  return { url: `redis://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`, nodes, discard }
}

const CLUSTER_PATIENCE = { timeoutMs: 30_000, everyMs: 50 }

/** The nodes after the masters become their replicas, one each. */
async function followMasters(nodes: readonly Redis[]): Promise<void> {
  for (const [index, { port }] of nodes.slice(MASTERS).entries()) {
    const master = String(await redisCommand(nodes[index]?.port ?? 0, 'CLUSTER', 'MYID'))
    await redisCommand(port, 'CLUSTER', 'REPLICATE', master)
    await waitUntil(
      'the replica follows its master',
      async () => String(await redisCommand(port, 'INFO', 'replication')).includes('master_link_status:up'),
      CLUSTER_PATIENCE,
    )
  }
}

/** By default the nodes talk on their port + 10,000, which may lie beyond the last port. */
async function startNode(): Promise<Redis> {
  const busPort = await freePort()
  return startRedis({
    args: ['--cluster-enabled', 'yes', '--cluster-port', String(busPort), '--cluster-node-timeout', '2000'],
  })
}

async function shareSlots(nodes: readonly Redis[]): Promise<void> {
  const share = Math.ceil(SLOTS / nodes.length)
  for (const [index, { port }] of nodes.entries()) {
    const last = Math.min(SLOTS, (index + 1) * share) - 1
    await redisCommand(port, 'CLUSTER', 'ADDSLOTSRANGE', String(index * share), String(last))
    // Different configuration epochs spare the nodes an election about the owners of the slots.
    await redisCommand(port, 'CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1))
  }
}

async function introduce(nodes: readonly Redis[]): Promise<void> {
  const [first, ...others] = nodes
  if (first === undefined) throw new Error('A cluster has at least one node')
  for (const { port } of others) {
    const busPort = await clusterBusPort(first)
    await redisCommand(port, 'CLUSTER', 'MEET', '127.0.0.1', String(first.port), busPort)
  }
}

async function clusterBusPort(node: Redis): Promise<string> {
  const answer = await redisCommand(node.port, 'CONFIG', 'GET', 'cluster-port')
  if (!Array.isArray(answer)) throw new Error(`CONFIG GET answered ${JSON.stringify(answer)}`)
  return String(answer[1])
}

async function agree(nodes: readonly Redis[]): Promise<boolean> {
  const answers = await Promise.all(nodes.map(({ port }) => redisCommand(port, 'CLUSTER', 'INFO')))
  return answers.every((answer) => {
    const text = String(answer)
    return text.includes('cluster_state:ok') && text.includes(`cluster_known_nodes:${nodes.length}`)
  })
}

import { inject } from 'vitest'
import { runningChildren } from '../child.ts'
import { CONNECTION_OWNER } from '../stores/shared-stores.ts'
import { waitUntil } from '../wait-until.ts'
import { redisClients, storeConnections } from './open-connections.ts'
import { describeSockets } from './open-sockets.ts'

/** Sockets need a moment to close after the test let go of them, and a busy machine a longer one. */
const SETTLE_MS = 5_000

/** Counts what keeps this process alive before the tests, by kind. The test runner's own timers come and go. */
export function resourcesBeforeTests(): Map<string, number> {
  return activeResources().set('Timeout', 0)
}

/** Throws when this test file left behind processes, connections to the shared stores, or handles. */
export async function refuseFileLeaks(before: ReadonlyMap<string, number>): Promise<void> {
  const forgotten = runningChildren()
  await Promise.all(forgotten.map((child) => child.kill()))
  const processes = forgotten.map(({ name, pid }) => `process ${name} (pid ${pid}) still runs`)

  // Handles first, and by themselves: asking the stores opens sockets, which then take their time to close.
  const handles = await whatStays(() => handleLeaks(before))
  const connections = await whatStays(connectionLeaks)
  const found = [...processes, ...handles, ...connections]
  if (found.length > 0) throw new Error(`This test file leaks:\n- ${found.join('\n- ')}`)
}

/** What is still there after a while. */
async function whatStays(find: () => string[] | Promise<string[]>): Promise<string[]> {
  let found: string[] = []
  const isNothing = async (): Promise<boolean> => {
    found = await find()
    return found.length === 0
  }
  try {
    await waitUntil('nothing is left', isNothing, { timeoutMs: SETTLE_MS, everyMs: 20 })
  } catch {
    return found
  }
  return []
}

async function connectionLeaks(): Promise<string[]> {
  const connections = await storeConnections(inject('postgresUrl'))
  const clients = await redisClients(inject('redisUrl'))
  return [
    ...connections
      .filter(({ owner }) => owner === CONNECTION_OWNER)
      .map(({ query }) => `connection to PostgreSQL, last query: ${query || 'none'}`),
    ...clients
      .filter(({ owner }) => owner === CONNECTION_OWNER)
      .map(({ command }) => `connection to Redis, last command: ${command}`),
  ]
}

function handleLeaks(before: ReadonlyMap<string, number>): string[] {
  return [...activeResources()]
    .filter(([kind, count]) => count > (before.get(kind) ?? 0))
    .map(([kind, count]) => [
      `handle ${kind}, ${count - (before.get(kind) ?? 0)} more than before the tests`,
      ...detailsOf(kind),
    ])
    .map((lines) => lines.join('\n  '))
}

function detailsOf(kind: string): string[] {
  return kind === 'TCPSocketWrap' ? describeSockets() : []
}

function activeResources(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

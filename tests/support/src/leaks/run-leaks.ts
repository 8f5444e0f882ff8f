import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signalProcess } from '../child.ts'
import { redisClients, storeConnections } from './open-connections.ts'

/** What outlived all test files of a run: they are separate processes, so that nothing of theirs may be left now. */
export async function findRunLeaks(stores: {
  postgresUrl: string
  redisUrl: string
  childrenFolder: string
}): Promise<string[]> {
  const connections = await storeConnections(stores.postgresUrl)
  const clients = await redisClients(stores.redisUrl)
  return [
    ...endRecordedProcesses(stores.childrenFolder),
    ...connections.map(
      ({ owner, query }) => `connection to PostgreSQL by ${owner || 'an unknown user'}, last query: ${query}`,
    ),
    ...clients.map(({ owner, command }) => `connection to Redis by ${owner}, last command: ${command}`),
  ]
}

/** A test process that was killed could not take its children along. */
function endRecordedProcesses(folder: string): string[] {
  return readdirSync(folder)
    .filter((pid) => signalProcess(Number(pid), 'SIGKILL'))
    .map((pid) => `process ${readFileSync(join(folder, pid), 'utf8')} (pid ${pid}) still ran`)
}

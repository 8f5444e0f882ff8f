import type { TestProject } from 'vitest/node'
import { removeFolder, temporaryFolder } from './machine.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'
import type {} from './shared-stores.ts'

/** Starts the stores that all test files of one run share, and stops them at its end. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const childrenFolder = await temporaryFolder()
  const [redis, postgres] = await Promise.all([startRedis(), startPostgres()])
  project.provide('redisUrl', redis.url)
  project.provide('postgresUrl', postgres.url)
  project.provide('childrenFolder', childrenFolder)

  return async () => {
    await Promise.all([redis.discard(), postgres.discard(), removeFolder(childrenFolder)])
  }
}

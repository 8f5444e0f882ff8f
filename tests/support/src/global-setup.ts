import { migrate, openLedger } from '@seatwise/ledger'
import { Client } from 'pg'
import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { findRunLeaks } from './leaks/run-leaks.ts'
import { removeFolder, temporaryFolder } from './machine.ts'
import { startPostgres } from './stores/postgres.ts'
import { startRedis } from './stores/redis.ts'
import { LENT_STORES, MIGRATED_DATABASE } from './stores/shared-stores.ts'

/** Starts the stores that all test files of one run share, and stops them at its end. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const lent = process.env[LENT_STORES]
  if (lent !== undefined) return lend(project, JSON.parse(lent))
  const childrenFolder = await temporaryFolder()
  const runFolder = await temporaryFolder()
  const [redis, postgres] = await Promise.all([startRedis(), startPostgres()])
  await makeMigratedDatabase(postgres.url)
  const stores = { redisUrl: redis.url, postgresUrl: postgres.url, childrenFolder }
  project.provide('redisUrl', stores.redisUrl)
  project.provide('postgresUrl', stores.postgresUrl)
  project.provide('childrenFolder', stores.childrenFolder)
  project.provide('runFolder', runFolder)

  return async () => {
    const leaks = await findRunLeaks(stores)
    await Promise.all([redis.discard(), postgres.discard(), removeFolder(childrenFolder), removeFolder(runFolder)])
    if (leaks.length > 0) throw new Error(`The test run leaks:\n- ${leaks.join('\n- ')}`)
  }
}

/** A run inside a run uses the stores of the outer one, which at its end also finds what both have left behind. */
function lend(project: TestProject, stores: ProvidedContext): () => Promise<void> {
  project.provide('redisUrl', stores.redisUrl)
  project.provide('postgresUrl', stores.postgresUrl)
  project.provide('childrenFolder', stores.childrenFolder)
  project.provide('runFolder', stores.runFolder)
  return async () => undefined
}

async function makeMigratedDatabase(postgresUrl: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  await client.query(`create database ${MIGRATED_DATABASE}`)
  await client.end()
  const url = new URL(postgresUrl)
  url.pathname = `/${MIGRATED_DATABASE}`
  const ledger = await openLedger({ kind: 'postgres', url: url.href })
  await migrate(ledger)
  await ledger.close()
}

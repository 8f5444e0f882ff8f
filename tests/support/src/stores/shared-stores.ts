import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'
import { redisCommand } from './redis-admin.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL that all test files of a run share. Take a database of your own with `postgresDatabase`. */
    postgresUrl: string
    /** The Redis that all test files of a run share. Take a prefix of your own with `redisPrefix`. */
    redisUrl: string
    /** Where processes are written down, so that those left behind are found at the end of the run. */
    childrenFolder: string
    /** Where tests leave for the others of the run what takes long to make. */
    runFolder: string
  }
}

/** The environment variable by which a run of Vitest inside a test is given the stores of the outer run, as JSON. */
export const LENT_STORES = 'SEATWISE_LENT_STORES'

/** For the environment of a run inside this test: it need not start stores, nor make again what this run has made. */
export function lentStores(): Record<string, string> {
  const [redisUrl, postgresUrl] = [inject('redisUrl'), inject('postgresUrl')]
  const [childrenFolder, runFolder] = [inject('childrenFolder'), inject('runFolder')]
  return { [LENT_STORES]: JSON.stringify({ redisUrl, postgresUrl, childrenFolder, runFolder }) }
}

/** Marks the connections of this test file, in `application_name` and as Redis user, so that leaked ones are found. */
export const CONNECTION_OWNER: string = `test-${process.pid}`

export interface PostgresDatabase {
  readonly url: string
  readonly name: string
  /** Removes it, together with connections that are still open. */
  drop(): Promise<void>
}

/** What a database begins as: without tables, or as a copy of `MIGRATED_DATABASE`, which saves the time to make them. */
export type DatabaseContent = 'empty' | 'migrated'

/** A database with the current tables that no server connects to, so that it can be copied. */
export const MIGRATED_DATABASE = 'seatwise_migrated'
/** As files: copied page by page through the log, as is the default, it takes twice the processor time, and so does its end. */
const COPIED = ` template ${MIGRATED_DATABASE} strategy file_copy`

/** A database of its own on the shared PostgreSQL: its own tables, extensions, advisory locks and settings. */
export async function postgresDatabase(content: DatabaseContent = 'empty'): Promise<PostgresDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(`create database ${name}${content === 'migrated' ? COPIED : ''}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  url.searchParams.set('application_name', CONNECTION_OWNER)
  return { url: url.href, name, drop: () => administer(`drop database if exists ${name} with (force)`) }
}

/** The shared Redis and a key prefix of its own. It contains no braces, so that hash tags stay the caller's choice. */
export function redisPrefix(): { url: string; prefix: string } {
  return { url: redisUrl(), prefix: `test:${randomUUID()}:` }
}

/** The shared Redis under a user name that belongs to this test file. */
export function redisUrl(): string {
  const url = new URL(inject('redisUrl'))
  url.username = CONNECTION_OWNER
  url.password = 'test'
  return url.href
}

/** Creates the Redis user of this test file. Called once, before its tests. */
export async function createRedisUser(): Promise<void> {
  const port = Number(new URL(inject('redisUrl')).port)
  await redisCommand(port, 'ACL', 'SETUSER', CONNECTION_OWNER, 'on', 'nopass', '~*', '&*', '+@all')
}

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject('postgresUrl'), application_name: 'seatwise-testbench' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

import { join } from 'node:path'
import { type LedgerOptions, openLedger, runStatement } from '@seatwise/ledger'
import {
  postgresDatabase,
  redisUrl,
  removeFolder,
  SECRET,
  type Server,
  startServer,
  temporaryFolder,
} from '@seatwise/testbench'

/** A running server, and the settings with which a command finds its ledger. */
export interface Deployment {
  readonly server: Server
  readonly env: Record<string, string>
  readonly ledger: LedgerOptions
  remove(): Promise<void>
}

export const DEPLOYMENTS = {
  embedded: async (): Promise<Deployment> => {
    const folder = await temporaryFolder()
    const dataDir = join(folder, 'data')
    const server = await startServer({ mode: 'embedded', dataDir })
    const remove = async () => {
      await server.discard()
      await removeFolder(folder)
    }
    return { server, env: { SEATWISE_DATA_DIR: dataDir }, ledger: { kind: 'pglite', dataDir }, remove }
  },
  distributed: async (): Promise<Deployment> => {
    const database = await postgresDatabase('migrated')
    const server = await startServer({ mode: 'distributed', databaseUrl: database.url })
    const remove = async () => {
      await server.discard()
      await database.drop()
    }
    const env = { DATABASE_URL: database.url, REDIS_URL: redisUrl(), SEATWISE_SECRET: SECRET }
    return { server, env, ledger: { kind: 'postgres', url: database.url }, remove }
  },
} as const

/** Changes the ledger behind the product's back; an embedded server must have stopped. */
export async function tamper({ ledger: options }: Deployment, sql: string): Promise<void> {
  const ledger = await openLedger(options)
  try {
    await runStatement(ledger.db, { name: 'tamper', sql }, [])
  } finally {
    await ledger.close()
  }
}

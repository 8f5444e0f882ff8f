import { existsSync } from 'node:fs'
import {
  connectToRunningServer,
  type Ledger,
  LedgerLocked,
  type ReadRows,
  runStatement,
  schemaVersions,
} from '@seatwise/seats'
import { type Config, openConfiguredLedger } from '@seatwise/server'

/**
 * Reads the ledger of this deployment: PostgreSQL, the data folder, or through the server that has the folder open.
 * Never makes or migrates anything.
 */
export async function withReader<Result>(config: Config, work: (read: ReadRows) => Promise<Result>): Promise<Result> {
  if (config.databaseUrl === null && !existsSync(config.dataDir)) {
    throw new Error(`There is nothing in ${config.dataDir}. SEATWISE_DATA_DIR names the folder of the sale.`)
  }
  let ledger: Ledger
  try {
    ledger = await openConfiguredLedger(config)
  } catch (error) {
    if (error instanceof LedgerLocked) return await work(await readerOfServer(error))
    throw error
  }
  try {
    const { present, needed } = await schemaVersions(ledger)
    if (present !== needed) {
      throw new Error(`The ledger's schema is at version ${present}, needed is ${needed}. "seatwise doctor" says more.`)
    }
    return await ledger.withoutDeadlines((db) =>
      work((statement, parameters) => runStatement(db, statement, parameters)),
    )
  } finally {
    await ledger.close()
  }
}

async function readerOfServer(locked: LedgerLocked): Promise<ReadRows> {
  const server = await connectToRunningServer(locked.folder)
  if (server === undefined) throw locked
  return async (statement, parameters) => await server.query(statement.sql, parameters)
}

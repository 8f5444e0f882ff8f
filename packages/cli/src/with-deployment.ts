import { existsSync } from 'node:fs'
import {
  connectToRunningServer,
  type Ledger,
  LedgerLocked,
  type LocalServer,
  type Primary,
  schemaVersions,
} from '@seatwise/ledger'
import { type Config, openConfiguredLedger } from '@seatwise/server'

/** The same work for both ways in which a tool reaches a ledger. */
export interface DeploymentWork<Result> {
  /** PostgreSQL, or a data folder that no process has open. */
  ledger(primary: Primary): Promise<Result>
  /** Through the server that has the data folder open. */
  server(server: LocalServer): Promise<Result>
}

/** Finds the ledger of this deployment. Never makes or migrates one. */
export async function withDeployment<Result>(config: Config, work: DeploymentWork<Result>): Promise<Result> {
  if (config.databaseUrl === null && !existsSync(config.dataDir)) {
    throw new Error(`There is nothing in ${config.dataDir}. SEATWISE_DATA_DIR names the folder of the sale.`)
  }
  let ledger: Ledger
  try {
    ledger = await openConfiguredLedger(config)
  } catch (error) {
    if (!(error instanceof LedgerLocked)) throw error
    const server = await connectToRunningServer(error.folder)
    if (server === undefined) throw error
    return await work.server(server)
  }
  try {
    const { present, needed, fits } = await schemaVersions(ledger)
    if (!fits) {
      throw new Error(`The ledger's schema is at version ${present}, needed is ${needed}. "seatwise doctor" says more.`)
    }
    return await ledger.withOwnConnection('tool', (primary) => work.ledger(primary))
  } finally {
    await ledger.close()
  }
}

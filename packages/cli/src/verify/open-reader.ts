import type { ReadRows } from '@seatwise/ledger'
import { runStatement } from '@seatwise/ledger'
import type { Config } from '@seatwise/server'
import { withDeployment } from '../with-deployment.ts'

/** Reads the ledger of this deployment, wherever it is. */
export async function withReader<Result>(config: Config, work: (read: ReadRows) => Promise<Result>): Promise<Result> {
  return await withDeployment(config, {
    ledger: ({ db }) => work((statement, parameters) => runStatement(db, statement, parameters)),
    server: (server) => work((statement, parameters) => server.query(statement.sql, parameters)),
  })
}

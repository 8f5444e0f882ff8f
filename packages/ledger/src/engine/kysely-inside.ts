import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import type { Schema } from './schema/schema.ts'

/** Sends one query inside a transaction and returns its result. */
type Send = (sql: string, parameters: readonly unknown[]) => Promise<pg.QueryResult[]>

/** Kysely inside a transaction that is not its own: it builds queries and can neither begin nor end anything. */
export function kyselyInside(send: Send): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new InsideDriver({ executeQuery: (query) => execute(send, query), streamQuery: refuse }),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}

async function execute<Row>(send: Send, { sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
  const [result] = await send(sql, parameters)
  const { rows = [], rowCount = null } = result ?? {}
  return rowCount === null ? { rows } : { rows, numAffectedRows: BigInt(rowCount) }
}

class InsideDriver implements Driver {
  readonly #connection: DatabaseConnection
  readonly beginTransaction = refuse
  readonly commitTransaction = refuse
  readonly rollbackTransaction = refuse

  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  // The connection belongs to the transaction, which opens and releases it.
  async init(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

function refuse(): never {
  throw new Error('A transaction cannot begin or end, and no query can be streamed, inside of another transaction.')
}

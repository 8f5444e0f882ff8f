import { readFileSync } from 'node:fs'
import { CompiledQuery, type Kysely } from 'kysely'
import type { Schema } from './schema/schema.ts'

/** One statement from a `.sql` file. The header of the file says what it takes, returns and locks. */
export interface Statement {
  readonly name: string
  readonly sql: string
  /** Each connection parses and plans it once and keeps it under its name. */
  readonly isPrepared?: boolean
}

/** A statement with its parameters, to be sent with others. */
export interface Call {
  readonly statement: Statement
  readonly parameters: readonly unknown[]
}

/** Runs a statement that reads, wherever the ledger is: opened here, or by a server that answers for it. */
export type ReadRows = <Row>(statement: Statement, parameters: readonly unknown[]) => Promise<Row[]>

/** Reads a statement that lies beside the file that runs it: `loadStatement(import.meta.url, 'hold-seats.sql')`. */
export function loadStatement(besideUrl: string, fileName: string): Statement {
  return Object.freeze({ name: fileName, sql: readSql(besideUrl, fileName) })
}

/**
 * The same for a statement that runs many times a second and reads by key whatever its parameters are. Parsing and
 * planning it each time took an eighth of PostgreSQL's time for a batch of claims.
 */
export function prepareStatement(besideUrl: string, fileName: string): Statement {
  return Object.freeze({ name: fileName, sql: readSql(besideUrl, fileName), isPrepared: true })
}

/** Runs a statement through Kysely, unprepared: for reads of the replica and for everything that is not hot. */
export async function runStatement<Row>(
  db: Kysely<Schema>,
  { sql }: Statement,
  parameters: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]))
  return rows
}

function readSql(besideUrl: string, fileName: string): string {
  return readFileSync(new URL(fileName, besideUrl), 'utf8')
}

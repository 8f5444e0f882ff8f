import { readFileSync } from 'node:fs'
import { CompiledQuery, type Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** One statement from a `.sql` file, whose header says what it takes, returns and locks. */
export interface Statement {
  readonly name: string
  readonly sql: string
}

/** Reads a statement that lies beside the file that alone runs it: `loadStatement(import.meta.url, 'hold-seats.sql')`. */
export function loadStatement(besideUrl: string, fileName: string): Statement {
  return Object.freeze({ name: fileName, sql: readFileSync(new URL(fileName, besideUrl), 'utf8') })
}

/** Runs a statement; pass the transaction instead of the database to run it inside. */
export async function runStatement<Row>(
  db: Kysely<Schema>,
  statement: Statement,
  parameters: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(statement.sql, [...parameters]))
  return rows
}

import { readFileSync } from 'node:fs'
import { CompiledQuery, type Kysely, type Transaction } from 'kysely'
import type { Schema } from './schema/schema.ts'

/** One statement from a `.sql` file, whose header says what it takes, returns and locks. */
export interface Statement {
  readonly name: string
  readonly sql: string
}

/** Reads a statement that lies beside the file that alone runs it: `loadStatement(import.meta.url, 'hold-seats.sql')`. */
export function loadStatement(besideUrl: string, fileName: string): Statement {
  return Object.freeze({ name: fileName, sql: readFileSync(new URL(fileName, besideUrl), 'utf8') })
}

/**
 * The same for a statement that runs many times a second and is found by its keys whatever its parameters are: each
 * connection reads and plans it once. Of a batch of claims that was an eighth of PostgreSQL's time.
 */
export function prepareStatement(besideUrl: string, fileName: string): Statement {
  const statement = loadStatement(besideUrl, fileName)
  PREPARED.set(statement.sql, fileName)
  return statement
}

/** By their text, under the names by which connections know them. As many as there are calls of prepareStatement. */
const PREPARED = new Map<string, string>()

/** The name of a statement that connections keep; undefined for all others. */
export function preparedName(sql: string): string | undefined {
  return PREPARED.get(sql)
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

/** A statement with its parameters, to be run with others. */
export interface Call {
  readonly statement: Statement
  readonly parameters: readonly unknown[]
}

/**
 * Runs statements one after the other and returns the rows of each. PostgreSQL gets them all at once and need not wait
 * for us between them, which counts while it holds a lock for us. The first that fails fails all.
 */
export async function runTogether<Rows extends readonly unknown[][]>(
  db: Kysely<Schema>,
  calls: readonly Call[],
): Promise<Rows> {
  if (calls.length === 0) return [] as unknown as Rows
  const { rows } = await db.executeQuery<unknown[]>(CompiledQuery.raw(TOGETHER, [calls]))
  // As many lists as there are calls; what is in them the caller knows, as with one statement.
  return rows as unknown as Rows
}

/**
 * The same for the last statements of a transaction, with its commit: whoever waits for what they lock waits no longer
 * than PostgreSQL needs. Nothing may be asked in the transaction afterwards.
 */
export async function runTogetherAndCommit<Rows extends readonly unknown[][]>(
  db: Transaction<Schema>,
  calls: readonly Call[],
): Promise<Rows> {
  if (calls.length === 0) return [] as unknown as Rows
  const { rows } = await db.executeQuery<unknown[]>(CompiledQuery.raw(TOGETHER, [calls, 'and commit']))
  return rows as unknown as Rows
}

/** Stands for several statements on the way to the connection, which alone can send them together. No SQL. */
export const TOGETHER = '-- together'

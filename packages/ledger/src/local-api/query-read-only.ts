import { CompiledQuery } from 'kysely'
import type { Ledger } from '../engine/index.ts'

export interface ReadOnlyAnswer {
  readonly rows: readonly Record<string, unknown>[]
}

/** More rows came than one answer may hold. */
class TooManyRows extends Error {
  override readonly name = 'TooManyRows'
}

/**
 * Runs one statement that reads, and cannot do anything else: it is made the inside of another, in a transaction that
 * refuses writes. The limit is a parameter, which makes the client use the protocol that takes one statement only.
 */
export async function queryReadOnly(
  ledger: Ledger,
  statement: string,
  parameters: readonly unknown[],
  rowsMax: number,
): Promise<ReadOnlyAnswer> {
  // The line break ends a comment in the last line of the statement.
  const text = `select * from (\n${statement}\n) as answer limit $${parameters.length + 1}`
  const query = CompiledQuery.raw(text, [...parameters, rowsMax + 1])
  const { rows } = await ledger.db
    .transaction()
    .setAccessMode('read only')
    .execute((transaction) => transaction.executeQuery<Record<string, unknown>>(query))
  if (rows.length > rowsMax) {
    throw new TooManyRows(`The statement returns more than ${rowsMax} rows. Ask for them page by page.`)
  }
  return { rows }
}

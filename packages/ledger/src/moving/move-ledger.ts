import { type Kysely, sql, type Transaction } from 'kysely'
import type { Ledger, Schema } from '../engine/index.ts'
import { copyRows, digestOf, listTables, type Table } from './tables.ts'

export interface MovedTable {
  readonly name: string
  readonly rows: number
}

/**
 * Copies everything of one ledger into another that has the same schema and no sale, in one transaction of the target: it is
 * there as a whole or not at all. `id` names this move, so that one which was interrupted after its commit is recognised.
 * Null when it is there already.
 */
export async function moveLedger(from: Ledger, to: Ledger, id: string): Promise<MovedTable[] | null> {
  return await to.withOwnConnection('migration', ({ db }) =>
    db.transaction().execute((target) => from.db.transaction().execute((source) => moveInto(source, target, id))),
  )
}

async function moveInto(
  source: Transaction<Schema>,
  target: Transaction<Schema>,
  id: string,
): Promise<MovedTable[] | null> {
  // No server can begin beside it: every one reads this table first.
  await sql`lock table schema_migrations in access exclusive mode`.execute(target)
  if ((await markOf(target)) === markFor(id)) return null
  await refuseSale(target)
  const tables = await listTables(target)
  const references = await dropReferences(target)
  // What migrations wrote is in the source too, as it has become since.
  await sql.raw(`truncate ${tables.map(({ name }) => name).join(', ')}`).execute(target)
  const moved: MovedTable[] = []
  for (const table of tables) moved.push(await moveTable(source, target, table))
  // PostgreSQL checks every row against them: nothing was left behind.
  for (const { table, name, definition } of references) {
    await sql.raw(`alter table ${table} add constraint ${name} ${definition}`).execute(target)
  }
  await sql.raw(`comment on table schema_migrations is '${markFor(id)}'`).execute(target)
  return moved
}

async function moveTable(source: Kysely<Schema>, target: Kysely<Schema>, table: Table): Promise<MovedTable> {
  await sql.raw(`alter table ${table.name} disable trigger user`).execute(target)
  await copyRows(source, target, table)
  await sql.raw(`alter table ${table.name} enable trigger user`).execute(target)
  const [was, is] = [await digestOf(source, table), await digestOf(target, table)]
  if (was.digest !== is.digest || was.rows !== is.rows) {
    throw new Error(`${table.name} arrived with ${is.rows} rows instead of ${was.rows}, or with others.`)
  }
  return { name: table.name, rows: is.rows }
}

async function refuseSale(target: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ isUsed: boolean }>`
    select exists (select from users) or exists (select from events) or exists (select from rooms) as "isUsed"`.execute(
    target,
  )
  if (rows[0]?.isUsed === true) {
    throw new Error('That database holds a deployment already: a server was started on it. Name an empty one.')
  }
}

interface Reference {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/** Foreign keys ask for an order that tables which refer to each other do not have; they return at the end. */
async function dropReferences(target: Kysely<Schema>): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint
     where contype = 'f' and connamespace = current_schema()::regnamespace
     order by 1, 2`.execute(target)
  for (const { table, name } of rows) {
    await sql.raw(`alter table ${table} drop constraint ${name}`).execute(target)
  }
  return rows
}

function markFor(id: string): string {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error(`A move is named by a UUID, not ${id}.`)
  return `moved here from a data folder: ${id}`
}

async function markOf(target: Kysely<Schema>): Promise<string | null> {
  const { rows } = await sql<{ mark: string | null }>`
    select obj_description(to_regclass('schema_migrations'), 'pg_class') as mark`.execute(target)
  return rows[0]?.mark ?? null
}

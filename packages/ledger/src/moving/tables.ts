import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/index.ts'

/** A table as it is copied: by text, which both engines write and read alike. */
export interface Table {
  /** Quoted where needed, as the columns are. */
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string; readonly isIdentity: boolean }[]
}

const ROWS_MAX = 2_000
/** Pictures of events are up to a megabyte each. */
const LARGE_ROWS_MAX = 20

/**
 * All tables but the list of migrations, which both have. Left out are columns that the database computes, and ids of
 * transactions: those of another database mean nothing here, and the moving transaction wrote all of it.
 */
export async function listTables(db: Kysely<Schema>): Promise<Table[]> {
  const { rows } = await sql<{ table: string; name: string; type: string; isIdentity: boolean }>`
    select c.oid::regclass::text as "table", quote_ident(attname) as name,
           format_type(atttypid, atttypmod) as type, attidentity <> '' as "isIdentity"
      from pg_class c join pg_attribute on attrelid = c.oid
     where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname <> 'schema_migrations'
       and attnum > 0 and not attisdropped and attgenerated = '' and atttypid <> 'xid8'::regtype
     order by 1, attnum`.execute(db)
  const columnsOf = Map.groupBy(rows, ({ table }) => table)
  return [...columnsOf].map(([name, columns]) => ({ name, columns }))
}

export async function copyRows(source: Kysely<Schema>, target: Kysely<Schema>, table: Table): Promise<void> {
  const { name, columns } = table
  const texts = columns.map((column, index) => `${column.name}::text as c${index}`)
  const rowsMax = columns.some(({ type }) => type === 'bytea') ? LARGE_ROWS_MAX : ROWS_MAX
  await sql.raw(`declare moving no scroll cursor for select ${texts.join(', ')} from ${name}`).execute(source)
  for (;;) {
    const { rows } = await sql.raw<Record<string, string | null>>(`fetch ${rowsMax} from moving`).execute(source)
    if (rows.length === 0) break
    const values = columns.map((_, index) => rows.map((row) => row[`c${index}`] ?? null))
    await target.executeQuery(CompiledQuery.raw(insertInto(table), values))
  }
  await sql.raw('close moving').execute(source)
  // That function wants the table quoted where needed, and the column never.
  for (const column of columns.filter(({ isIdentity }) => isIdentity)) {
    await sql
      .raw(
        `select setval(pg_get_serial_sequence('${name}', '${column.name.replaceAll('"', '')}'), max(${column.name})) from ${name}
         having max(${column.name}) is not null`,
      )
      .execute(target)
  }
}

/** One list of texts for each column, which PostgreSQL reads as the column's type. */
function insertInto({ name, columns }: Table): string {
  const each = (text: (name: string, type: string, index: number) => string): string =>
    columns.map((column, index) => text(column.name, column.type, index)).join(', ')
  return `insert into ${name} (${each((column) => column)}) overriding system value
    select ${each((_, type, index) => `c${index}::${type}`)}
      from unnest(${each((_, _type, index) => `$${index + 1}::text[]`)}) as moved (${each((_, _type, index) => `c${index}`)})`
}

/** Equal for equal rows, in whatever order they lie. */
export async function digestOf(
  db: Kysely<Schema>,
  { name, columns }: Table,
): Promise<{ rows: number; digest: string }> {
  const row = columns.map((column) => `${column.name}::text`).join(', ')
  const { rows } = await sql
    .raw<{ rows: number; digest: string }>(
      `select count(*)::int as rows, coalesce(sum(('x' || left(md5(row(${row})::text), 15))::bit(60)::bigint), 0)::text as digest
         from ${name}`,
    )
    .execute(db)
  return rows[0] ?? { rows: 0, digest: '' }
}

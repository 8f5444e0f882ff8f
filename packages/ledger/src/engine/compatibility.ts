import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from './schema/schema.ts'

/**
 * Which programs work with which schema. A migration *expands*, unless it says otherwise: programs that do not know it go on,
 * and may be started. One that takes something away *contracts*, and says in a line of its own which schema a program must
 * know to live without it:
 *
 *     -- Works with programs from schema 031 on.
 *
 * A contraction is published at the earliest one version after the last program that needed what it takes away.
 */
export interface StoredMigration {
  readonly version: number
  readonly name: string
  readonly checksum: string
  readonly works_from: number
}

/** The first schema whose programs read `works_from`: older ones refuse every schema that is newer than they are. */
const FIRST_READER = 24

const CONTRACTION = /^-- Works with programs from schema (\d{3}) on\.$/m

export function readWorksFrom(file: string, version: number, text: string): number | null {
  const [, number] = CONTRACTION.exec(text) ?? []
  if (number === undefined) return null
  const worksFrom = Number(number)
  if (worksFrom >= FIRST_READER && worksFrom <= version) return worksFrom
  throw new Error(`${file} may work with programs from schema ${FIRST_READER} to ${version} on, not from ${number} on.`)
}

/** The column is not in a migration, because a program asks for it before it looks at any. */
export async function addCompatibility(transaction: Transaction<Schema>): Promise<void> {
  // Looked for first: even a change that finds nothing to do would lock the table against readers.
  if (await hasCompatibility(transaction)) return
  await sql`
    alter table schema_migrations add column works_from integer not null default ${sql.lit(FIRST_READER)}`.execute(
    transaction,
  )
}

/** What was applied, also where no program with `works_from` has been yet. */
export async function readStoredMigrations(db: Kysely<Schema>): Promise<StoredMigration[]> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('schema_migrations') is not null as exists`.execute(db)
  if (rows[0]?.exists !== true) return []
  const stored = db.selectFrom('schema_migrations').select(['version', 'name', 'checksum']).orderBy('version')
  if (await hasCompatibility(db)) return await stored.select('works_from').execute()
  return (await stored.execute()).map((row) => ({ ...row, works_from: FIRST_READER }))
}

async function hasCompatibility(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql`
    select from pg_attribute
     where attrelid = to_regclass('schema_migrations') and attname = 'works_from' and not attisdropped`.execute(db)
  return rows.length > 0
}

/** How a program calls its connections, so that others see which schema it knows; an operator's own name stays in front. */
export function nameProgram(schema: number, given: string | null): string {
  // PostgreSQL cuts names after 63 bytes.
  return `${given === null ? '' : `${given.slice(0, 40)} `}seatwise/${schema}`
}

/** A program that is too old would fail at its next statement, in the middle of a sale. */
export async function refuseOlderPrograms(db: Kysely<Schema>, name: string, worksFrom: number): Promise<void> {
  const older = (await connectedPrograms(db)).filter((schema) => schema < worksFrom)
  if (older.length === 0) return
  throw new Error(
    `Migration ${name} takes away what programs that know schema ${older.join(' and ')} still use, and such programs are connected. ` +
      `Replace them by programs that know schema ${worksFrom} or later, then migrate.`,
  )
}

/** The schemas that connected programs know, ascending. A pooler that renames connections hides them. */
export async function connectedPrograms(db: Kysely<Schema>): Promise<number[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name
      from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name ~ '(^| )seatwise(/[0-9]+)?$'`.execute(
    db,
  )
  // Programs from before this was told have the bare name.
  const known = rows.map(({ name }) => Number(/\/(\d+)$/.exec(name)?.[1] ?? FIRST_READER - 1))
  return [...new Set(known)].sort((one, other) => one - other)
}

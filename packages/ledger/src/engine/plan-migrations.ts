import { type Kysely, sql, type Transaction } from 'kysely'
import { connectedPrograms, readStoredMigrations } from './compatibility.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { applyMigrations, type Migration, readMigrations, refuseMismatch } from './migrate.ts'
import type { Schema } from './schema/schema.ts'

/**
 * Slow on purpose: a plan that is too long makes an operator choose a quieter hour, one that is too short stops a sale. A
 * million rows of 110 bytes on two cores and a disk that other work kept busy (PostgreSQL 15, durable, November 2026): a new
 * constraint checked 5,000,000 rows/s, an index of one or two columns took in 1,170,000 and 380,000, and an update that moves
 * entries of four indexes 16,000.
 */
const PACE = { nothing: Number.POSITIVE_INFINITY, reads: 1_000_000, indexes: 200_000, writes: 10_000 }
/** Catalogue work of a migration that touches no rows. */
const CATALOGUE_SECONDS = 0.05

export interface MigrationPlan {
  readonly present: number
  readonly needed: number
  readonly migrations: readonly PlannedMigration[]
  /** The schemas that the connected programs know, ascending; empty for an embedded ledger. */
  readonly connected: readonly number[]
}

export interface PlannedMigration {
  readonly name: string
  /** What it is for, in its own words. */
  readonly purpose: string
  readonly creates: readonly string[]
  /** Tables that exist already, and that it locks. */
  readonly tables: readonly PlannedTable[]
  /** How long it runs, and so how long every lock of it lasts at most, once it has them. */
  readonly secondsMax: number
  /** Of a contraction: the schema that programs must know. */
  readonly worksFrom: number | null
}

export interface PlannedTable {
  readonly name: string
  readonly rows: number
  /** What others cannot do meanwhile. */
  readonly blocks: 'everything' | 'writes' | 'nothing'
  /** What it does with every row. */
  readonly touches: keyof typeof PACE
}

/**
 * What `migrate` would do to this ledger, and how long others would wait for it. Changes nothing: the missing migrations are
 * run on an empty ledger in memory, where PostgreSQL itself says which locks they take, which tables they read and which
 * they write anew; the sizes are those of the real tables.
 */
export async function planMigrations(ledger: Ledger): Promise<MigrationPlan> {
  return await planThese(ledger, await readMigrations(new URL('../../migrations/', import.meta.url)))
}

export async function planThese(ledger: Ledger, migrations: readonly Migration[]): Promise<MigrationPlan> {
  const stored = await readStoredMigrations(ledger.db)
  refuseMismatch(stored, migrations)
  const present = stored.at(-1)?.version ?? 0
  const missing = migrations.filter(({ version }) => version > present)
  const rehearsed = missing.length === 0 ? [] : await rehearse(migrations, missing, await countRows(ledger.db))
  const connected = ledger.kind === 'postgres' ? await connectedPrograms(ledger.db) : []
  return { present, needed: migrations.at(-1)?.version ?? 0, migrations: rehearsed, connected }
}

/** As PostgreSQL last estimated them, so that a plan reads no table. */
async function countRows(db: Kysely<Schema>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ name: string; rows: number }>`
    select relname as name,
           case when reltuples >= 0 then reltuples::float8
                -- Never counted: by its size, with rows of 100 bytes.
                else (pg_relation_size(oid) / 100)::float8 end as rows
      from pg_class
     where relkind = 'r' and oid = to_regclass(quote_ident(relname))`.execute(db)
  return new Map(rows.map(({ name, rows: count }) => [name, count]))
}

async function rehearse(
  all: readonly Migration[],
  missing: readonly Migration[],
  rowsOf: ReadonlyMap<string, number>,
): Promise<PlannedMigration[]> {
  const scratch = await openLedger({ kind: 'pglite', dataDir: 'memory://' })
  try {
    await applyMigrations(scratch, all.slice(0, all.length - missing.length))
    const planned: PlannedMigration[] = []
    for (const migration of missing) {
      const seen = await scratch.db.transaction().execute((transaction) => watch(transaction, migration))
      planned.push(describe(migration, seen, rowsOf))
    }
    return planned
  } finally {
    await scratch.close()
  }
}

/** What one migration did to the tables of the scratch ledger. */
interface Seen {
  readonly creates: readonly string[]
  readonly tables: readonly {
    readonly name: string
    readonly modes: readonly string[]
    readonly isRewritten: boolean
    readonly isIndexed: boolean
    readonly isRead: boolean
  }[]
}

async function watch(transaction: Transaction<Schema>, migration: Migration): Promise<Seen> {
  const before = await look(transaction)
  await sql.raw(migration.sql).execute(transaction)
  const after = await look(transaction)
  const { rows: locks } = await sql<{ name: string; mode: string }>`
    select relname as name, mode from pg_locks join pg_class on pg_class.oid = relation
     where pid = pg_backend_pid() and granted`.execute(transaction)
  const modesOf = Map.groupBy(locks, ({ name }) => name)
  return {
    creates: [...after.keys()].filter((name) => !before.has(name)),
    tables: [...before].flatMap(([name, was]) => {
      const modes = (modesOf.get(name) ?? []).map(({ mode }) => mode)
      const is = after.get(name) ?? was
      if (modes.length === 0) return []
      const isRewritten = is.file !== was.file
      const isIndexed = is.indexes.some((index) => !was.indexes.includes(index))
      return [{ name, modes, isRewritten, isIndexed, isRead: is.scans > was.scans }]
    }),
  }
}

interface Look {
  /** A table that is written anew gets another. */
  readonly file: number
  readonly indexes: readonly string[]
  /** How often all of it was read. */
  readonly scans: number
}

/** The tables by name; temporary ones are in no way of others. */
async function look(db: Kysely<Schema>): Promise<ReadonlyMap<string, Look>> {
  const { rows } = await sql<Look & { name: string }>`
    select relname as name, relfilenode::int as file,
           array(select indexrelid::regclass::text from pg_index where indrelid = oid) as indexes,
           coalesce(pg_stat_get_xact_numscans(oid), 0)::int as scans
      from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace
     order by relname`.execute(db)
  return new Map(rows.map((row) => [row.name, row]))
}

function describe(migration: Migration, seen: Seen, rowsOf: ReadonlyMap<string, number>): PlannedMigration {
  const planned = seen.tables.map(
    (table): PlannedTable => ({
      name: table.name,
      rows: rowsOf.get(table.name) ?? 0,
      blocks: blockedBy(table.modes),
      touches: touchedBy(table),
    }),
  )
  const seconds = planned.reduce((sum, { rows, touches }) => sum + rows / PACE[touches], CATALOGUE_SECONDS)
  return {
    name: migration.name,
    purpose: purposeOf(migration.sql),
    creates: seen.creates,
    tables: planned,
    secondsMax: seconds,
    worksFrom: migration.worksFrom,
  }
}

function touchedBy({ modes, isRewritten, isIndexed, isRead }: Seen['tables'][number]): PlannedTable['touches'] {
  if (isRewritten || (isRead && modes.includes('RowExclusiveLock'))) return 'writes'
  if (isIndexed) return 'indexes'
  return isRead ? 'reads' : 'nothing'
}

function blockedBy(modes: readonly string[]): PlannedTable['blocks'] {
  if (modes.includes('AccessExclusiveLock')) return 'everything'
  if (modes.some((mode) => ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock'].includes(mode))) return 'writes'
  return 'nothing'
}

/** The first comment, which says what the migration is for. */
function purposeOf(text: string): string {
  const lines = text.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('--'))
  const comment = lines.slice(0, end === -1 ? lines.length : end).map((line) => line.slice(2).trim())
  return comment.join(' ').split(/(?<=\.) /)[0] ?? ''
}

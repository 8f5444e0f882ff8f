import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import { addCompatibility, readWorksFrom, refuseOlderPrograms, type StoredMigration } from './compatibility.ts'
import type { Ledger } from './ledger.ts'
import { isLedgerAway } from './ledger-errors.ts'
import type { Schema } from './schema/schema.ts'

/** One numbered file of `migrations/`. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly checksum: string
  readonly sql: string
  /** A contraction: the lowest schema that a program must know to work with what this migration leaves. */
  readonly worksFrom: number | null
}

export interface MigrationReport {
  /** The version the schema has now. */
  readonly version: number
  /** What this call applied; empty when another server had done it, or nothing was new. */
  readonly applied: readonly string[]
}

/** The schema and this program do not fit together; the message says what to do. */
class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch'
}

// Any number will do as long as it never changes: all servers that migrate this database wait for the same lock.
const MIGRATION_LOCK = 7_328_946_231
/** While a migration waits for a table, everything that wants the table after it waits too: less than a sale's own limit. */
const TABLE_LOCK_WAIT = '1s'
/** So often a migration begins again because a table was in use; then an operator must look what holds it. */
const ATTEMPTS_MAX = 30

/**
 * Brings the schema up to this program. Every migration is a transaction of its own that first takes the lock, then
 * looks what is there: so any number of servers may start at once, and a failed migration leaves nothing behind.
 */
export async function migrate(ledger: Ledger): Promise<MigrationReport> {
  const migrations = await readMigrations(new URL('../../migrations/', import.meta.url))
  return await applyMigrations(ledger, migrations)
}

export async function applyMigrations(ledger: Ledger, migrations: readonly Migration[]): Promise<MigrationReport> {
  return await ledger.withOwnConnection('migration', ({ db }) => applyInTurn(db, migrations))
}

async function applyInTurn(db: Kysely<Schema>, migrations: readonly Migration[]): Promise<MigrationReport> {
  const applied: string[] = []
  // One pass more than there are migrations: the last one finds nothing to do.
  for (let pass = 0; pass <= migrations.length; pass += 1) {
    const { version, name } = await applyNextPatiently(db, migrations)
    if (name === undefined) return { version, applied }
    applied.push(name)
  }
  throw new Error('More migrations were applied than there are.')
}

interface Step {
  /** The version that the schema has now. */
  readonly version: number
  /** What was applied; undefined when nothing was missing. */
  readonly name: string | undefined
}

async function applyNextPatiently(db: Kysely<Schema>, migrations: readonly Migration[]): Promise<Step> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute((transaction) => applyNext(transaction, migrations))
    } catch (error) {
      // Everything was rolled back, and what waited behind us goes first.
      if (!isTableInUse(error) || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

function isTableInUse(error: unknown): boolean {
  return isLedgerAway(error) && error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE
}

const LOCK_NOT_AVAILABLE = '55P03'

async function applyNext(transaction: Transaction<Schema>, migrations: readonly Migration[]): Promise<Step> {
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.execute(transaction)
  await sql`
    create table if not exists schema_migrations (
      version    integer primary key,
      name       text not null,
      checksum   text not null,
      applied_at timestamptz not null default now()
    )`.execute(transaction)
  await addCompatibility(transaction)
  const present = await transaction.selectFrom('schema_migrations').selectAll().orderBy('version').execute()
  refuseMismatch(present, migrations)

  const newest = present.at(-1)
  const next = migrations.find(({ version }) => version > (newest?.version ?? 0))
  if (next === undefined) return { version: newest?.version ?? 0, name: undefined }
  if (next.worksFrom !== null) await refuseOlderPrograms(transaction, next.name, next.worksFrom)
  await sql`select set_config('lock_timeout', ${TABLE_LOCK_WAIT}, true)`.execute(transaction)
  await sql.raw(next.sql).execute(transaction)
  const { version, name, checksum } = next
  const works_from = next.worksFrom ?? newest?.works_from
  await transaction
    .insertInto('schema_migrations')
    .values({ version, name, checksum, ...(works_from === undefined ? {} : { works_from }) })
    .execute()
  return { version, name }
}

/** Throws when this program must not work with a ledger that has these migrations. */
export function refuseMismatch(present: readonly StoredMigration[], migrations: readonly Migration[]): void {
  const newest = present.at(-1)
  const newestKnown = migrations.at(-1)?.version ?? 0
  if (newest === undefined) return
  if (newest.version > newestKnown && newest.works_from > newestKnown) {
    throw new SchemaMismatch(
      `The ledger's schema has version ${newest.version}, and this program knows versions up to ${newestKnown}. ` +
        `Start a program that knows version ${newest.works_from} or later, or restore a backup from before.`,
    )
  }
  for (const ours of migrations.filter(({ version }) => version <= newest.version)) {
    const theirs = present.find(({ version }) => version === ours.version)
    if (theirs?.checksum === ours.checksum) continue
    throw new SchemaMismatch(
      `Migration ${ours.name} was ${theirs === undefined ? 'added' : 'changed'} after this ledger had reached version ${newest.version}. ` +
        'Restore the file as it was, and put the change into a new migration with a higher number.',
    )
  }
}

export async function readMigrations(folder: URL): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  const migrations = await Promise.all(files.map((file) => readMigration(folder, file)))
  const twice = migrations.find(({ version }, index) => version === migrations[index - 1]?.version)
  if (twice !== undefined)
    throw new Error(`Two migrations have the number ${twice.version}; one of them is ${twice.name}.`)
  return migrations
}

async function readMigration(folder: URL, file: string): Promise<Migration> {
  if (!/^\d{3}-[a-z0-9-]+\.sql$/.test(file))
    throw new Error(`A migration is named like 002-seats-and-rooms.sql, not ${file}.`)
  const text = await readFile(new URL(file, folder), 'utf8')
  // A checkout may have changed the line ends; that changes nothing.
  const checksum = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
  const version = Number.parseInt(file, 10)
  return { version, name: file.replace('.sql', ''), checksum, sql: text, worksFrom: readWorksFrom(file, version, text) }
}

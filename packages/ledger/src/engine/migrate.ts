import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Ledger } from './ledger.ts'
import type { Schema } from './schema/schema.ts'

/** One numbered file of `migrations/`. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly checksum: string
  readonly sql: string
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
    const name = await db.transaction().execute((transaction) => applyNext(transaction, migrations))
    if (name === undefined) break
    applied.push(name)
  }
  return { version: migrations.at(-1)?.version ?? 0, applied }
}

async function applyNext(
  transaction: Transaction<Schema>,
  migrations: readonly Migration[],
): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.execute(transaction)
  await sql`
    create table if not exists schema_migrations (
      version    integer primary key,
      name       text not null,
      checksum   text not null,
      applied_at timestamptz not null default now()
    )`.execute(transaction)
  const present = await transaction.selectFrom('schema_migrations').selectAll().orderBy('version').execute()
  refuseMismatch(present, migrations)

  const newest = present.at(-1)?.version ?? 0
  const next = migrations.find(({ version }) => version > newest)
  if (next === undefined) return undefined
  await sql.raw(next.sql).execute(transaction)
  const { version, name, checksum } = next
  await transaction.insertInto('schema_migrations').values({ version, name, checksum }).execute()
  return name
}

function refuseMismatch(present: readonly Omit<Migration, 'sql'>[], migrations: readonly Migration[]): void {
  const newest = present.at(-1)?.version ?? 0
  const newestKnown = migrations.at(-1)?.version ?? 0
  if (newest > newestKnown) {
    throw new SchemaMismatch(
      `The ledger's schema has version ${newest}, and this program knows versions up to ${newestKnown}. ` +
        'Start the newer program that migrated it, or restore a backup from before.',
    )
  }
  for (const ours of migrations.filter(({ version }) => version <= newest)) {
    const theirs = present.find(({ version }) => version === ours.version)
    if (theirs?.checksum === ours.checksum) continue
    throw new SchemaMismatch(
      `Migration ${ours.name} was ${theirs === undefined ? 'added' : 'changed'} after this ledger had reached version ${newest}. ` +
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
  return { version: Number.parseInt(file, 10), name: file.replace('.sql', ''), checksum, sql: text }
}

import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connectedPrograms, type Ledger, migrate, newestMigration, openLedger, schemaVersions } from '@seatwise/ledger'
import { forEachLedger, postgresDatabase, removeFolder, temporaryFolder, waitUntil } from '@seatwise/testbench'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { applyMigrations, type Migration, readMigrations } from '../../src/engine/migrate.ts'
import { migrateUnguarded } from '../support/migrate-unguarded.ts'

const FIRST = migration(1, 'fruits', "create table fruits (name text); insert into fruits values ('apple')")
const SECOND = migration(2, 'more-fruits', "insert into fruits values ('pear')")
const FAILING = migration(3, 'failing', "insert into fruits values ('plum'); create table half (); select 1 / 0")

forEachLedger('migrations', (_open, place) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await openLedger(await place())
  })
  afterAll(() => ledger.close())
  beforeEach(async () => {
    await sql`drop table if exists schema_migrations, fruits`.execute(ledger.db)
  })

  test('[D17] migrations are applied in order, once', async () => {
    expect(await applyMigrations(ledger, [FIRST, SECOND])).toEqual({ version: 2, applied: ['fruits', 'more-fruits'] })
    expect(await applyMigrations(ledger, [FIRST, SECOND])).toEqual({ version: 2, applied: [] })
    expect(await fruits(ledger)).toEqual(['apple', 'pear'])
    const rows = await ledger.db.selectFrom('schema_migrations').selectAll().orderBy('version').execute()
    expect(rows).toMatchObject([
      { version: 1, name: 'fruits', checksum: FIRST.checksum, applied_at: expect.any(Date) },
      { version: 2, name: 'more-fruits', checksum: SECOND.checksum },
    ])
  })

  test('[D17] five calls at once apply each migration once', async () => {
    const reports = await Promise.all([1, 2, 3, 4, 5].map(() => applyMigrations(ledger, [FIRST, SECOND])))
    expect(reports.flatMap(({ applied }) => applied).sort()).toEqual(['fruits', 'more-fruits'])
    expect(await fruits(ledger)).toEqual(['apple', 'pear'])
  })

  test('[D18] a failing migration leaves nothing behind, and what came before it stays', async () => {
    await expect(applyMigrations(ledger, [FIRST, SECOND, FAILING])).rejects.toMatchObject({ code: '22012' })
    expect(await fruits(ledger)).toEqual(['apple', 'pear'])
    expect((await sql`select to_regclass('half') as half`.execute(ledger.db)).rows).toEqual([{ half: null }])
    expect(await applyMigrations(ledger, [FIRST, SECOND])).toEqual({ version: 2, applied: [] })
  })

  test('[D19] a migration that was changed after it had been applied is refused', async () => {
    await applyMigrations(ledger, [FIRST, SECOND])
    const changed = migration(1, 'fruits', 'create table vegetables (name text)')
    const attempt = applyMigrations(ledger, [changed, SECOND])
    await expect(attempt).rejects.toThrow(/Migration fruits was changed after this ledger had reached version 2/)
  })

  test('[D19] a migration that was added below the newest is refused', async () => {
    await applyMigrations(ledger, [SECOND_ALONE])
    const attempt = applyMigrations(ledger, [FIRST, SECOND_ALONE])
    await expect(attempt).rejects.toThrow(/Migration fruits was added after this ledger had reached version 2/)
  })

  test('[D20] a schema newer than the program is refused and left alone', async () => {
    await applyMigrations(ledger, [FIRST, SECOND])
    await expect(applyMigrations(ledger, [FIRST])).rejects.toMatchObject({
      name: 'SchemaMismatch',
      message:
        "The ledger's schema has version 2, and this program knows versions up to 1. " +
        'Start a program that knows version 24 or later, or restore a backup from before.',
    })
    expect(await fruits(ledger)).toEqual(['apple', 'pear'])
  })

  test('[Y114] a program goes on with a newer schema that expanded, and is refused by one that contracted', async () => {
    const [thirty, expanded] = [migration(30, 'fruits', FIRST.sql), migration(31, 'more', SECOND.sql)]
    await applyMigrations(ledger, [thirty, expanded])
    expect(await applyMigrations(ledger, [thirty])).toEqual({ version: 31, applied: [] })
    // As a contraction leaves it; Y115 applies one.
    await sql`insert into schema_migrations values (32, 'fewer', 'unknown here', now(), 31)`.execute(ledger.db)
    expect(await applyMigrations(ledger, [thirty, expanded])).toEqual({ version: 32, applied: [] })
    await expect(applyMigrations(ledger, [thirty])).rejects.toThrow(/Start a program that knows version 31 or later/)
    expect(await fruits(ledger)).toEqual(['apple', 'pear'])
  })

  test('[D17] the versions present and needed can be read, before and after', async () => {
    const { present, needed, fits } = await schemaVersions(ledger)
    expect([present, fits]).toEqual([0, false])
    expect((await migrate(ledger)).version).toBe(needed)
    expect(await schemaVersions(ledger)).toEqual({ present: needed, needed, fits: true })
  })
})

const SECOND_ALONE = migration(2, 'more-fruits', 'create table fruits (name text)')

describe('servers that start at once', () => {
  let url: string
  let drop: () => Promise<void>
  let ledgers: Ledger[]
  beforeEach(async () => {
    ;({ url, drop } = await postgresDatabase())
    ledgers = await Promise.all([1, 2, 3, 4, 5].map(() => openLedger({ kind: 'postgres', url, poolMax: 2 })))
    return async () => {
      await Promise.all(ledgers.map((ledger) => ledger.close()))
      await drop()
    }
  })

  test('[D17] five servers migrate one empty database: each migration is applied once', async () => {
    const reports = await Promise.all(ledgers.map((ledger) => migrate(ledger)))
    const applied = reports.flatMap((report) => report.applied)
    expect(new Set(applied).size).toBe(applied.length)
    const rows = await ledgers[0]?.db.selectFrom('schema_migrations').select('name').execute()
    expect(applied.sort()).toEqual(rows?.map(({ name }) => name).sort())
  })

  test('[Y115] a contraction waits until the programs that need what it takes away are gone', async () => {
    const [ledger, older] = ledgers as [Ledger, Ledger]
    const away = migration(newestMigration() + 1, 'away', 'create table fruits ()', newestMigration() + 1)
    const all = [...(await readMigrations(new URL('../../migrations/', import.meta.url))), away]
    await migrate(ledger)
    await older.ping()
    await expect(applyMigrations(ledger, all)).rejects.toThrow(
      new RegExp(`programs that know schema ${newestMigration()} still use`),
    )
    expect((await schemaVersions(ledger)).present).toBe(newestMigration())
    const kept = await openLedger({ kind: 'postgres', url, poolMax: 1 })
    try {
      await Promise.all(ledgers.splice(0).map((each) => each.close()))
      // Only our own connections are left, once PostgreSQL has noticed the end of the others: none needs what goes.
      await expect.poll(() => connectedPrograms(kept.db)).toEqual([])
      await kept.withOwnConnection('tool', async ({ db }) => {
        await sql`set application_name = 'seatwise/24'`.execute(db)
        expect(await connectedPrograms(kept.db)).toEqual([24])
      })
    } finally {
      ledgers.push(kept)
    }
  })

  test('[Y116] a migration lets others go first when its table is in use, and tries again', async () => {
    const [ledger, other] = ledgers as [Ledger, Ledger]
    await applyMigrations(ledger, [FIRST])
    const change = migration(2, 'more-fruits', 'alter table fruits add column weight integer')
    const released = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const holding = other.db.transaction().execute(async (transaction) => {
      await sql`select name from fruits`.execute(transaction)
      held.resolve()
      await released.promise
    })
    await held.promise
    const migrating = applyMigrations(ledger, [FIRST, change])
    const waits = async () => {
      const { rows } = await sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and query like 'alter table fruits%'`.execute(
        other.db,
      )
      return rows.length > 0
    }
    // Asked for twice, with a pause between: the first attempt gave up and let others in.
    await waitUntil('it waits for the table', waits)
    await waitUntil('it lets others go first', async () => !(await waits()))
    await sql`select name from fruits`.execute(ledgers[2]?.db as Ledger['db'])
    released.resolve()
    await holding
    expect(await migrating).toEqual({ version: 2, applied: ['more-fruits'] })
  })

  test('[D17 control] without the lock the same race fails', async () => {
    const results = await Promise.allSettled(await migrateUnguarded(ledgers, FIRST))
    expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
  })
})

describe('the folder of migrations', () => {
  let folder: string
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => removeFolder(folder))

  test('[D17] two files with one number, or a file that is named otherwise, are refused', async () => {
    await expect(readMigrations(await files('twice', ['001-a.sql', '001-b.sql']))).rejects.toThrow(/the number 1/)
    await expect(readMigrations(await files('odd', ['1-a.sql']))).rejects.toThrow(/not 1-a.sql/)
  })

  test('[D19] line ends of a checkout change no checksum', async () => {
    const [unix] = await readMigrations(await files('unix', ['001-a.sql'], 'select 1;\nselect 2;\n'))
    const [windows] = await readMigrations(await files('windows', ['001-a.sql'], 'select 1;\r\nselect 2;\r\n'))
    expect(windows?.checksum).toBe(unix?.checksum)
  })

  test('[Y115] a contraction says which schema programs must know, in a line that is understood', async () => {
    const says = (from: string) => `-- Works with programs from schema ${from} on.\nselect 1;\n`
    expect(await readMigrations(await files('away', ['030-a.sql'], says('029')))).toMatchObject([{ worksFrom: 29 }])
    expect(await readMigrations(await files('adds', ['030-a.sql']))).toMatchObject([{ worksFrom: null }])
    await expect(readMigrations(await files('later', ['030-a.sql'], says('031')))).rejects.toThrow(/not from 031 on/)
  })

  async function files(name: string, names: readonly string[], text = 'select 1;\n'): Promise<URL> {
    await mkdir(join(folder, name))
    for (const file of names) await writeFile(join(folder, name, file), text)
    return pathToFileURL(`${join(folder, name)}/`)
  }
})

function migration(version: number, name: string, text: string, worksFrom: number | null = null): Migration {
  return { version, name, sql: text, checksum: createHash('sha256').update(text).digest('hex'), worksFrom }
}

async function fruits(ledger: Ledger): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from fruits order by name`.execute(ledger.db)
  return rows.map(({ name }) => name)
}

import { createHash } from 'node:crypto'
import { openLedger } from '@seatwise/ledger'
import { postgresDatabase } from '@seatwise/testbench'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { applyMigrations, type Migration } from '../../src/engine/migrate.ts'
import { planThese } from '../../src/engine/plan-migrations.ts'

const MIGRATIONS: readonly [number, string, string, number?][] = [
  [
    1,
    'fruits',
    'create table fruits (id integer primary key, weight integer); create table pots (id integer primary key)',
  ],
  [
    2,
    'expand',
    '-- Fruits have a name. More is said here.\nalter table fruits add column name text; create table bowls ()',
  ],
  [3, 'fill', "-- Old fruits get one.\nupdate fruits set name = 'apple'"],
  [4, 'rewrite', '-- Weights are large.\nalter table fruits alter column weight type bigint'],
  [5, 'index', '-- Fruits are found.\ncreate index fruits_by_weight on fruits (weight)'],
  [6, 'refer', '-- Bowls hold fruits.\nalter table bowls add column fruit integer references fruits (id)'],
  [7, 'contract', '-- Weights go.\nalter table fruits drop column weight', 26],
]

it('[Y117] a plan says what each migration does to which table, whom it blocks, for how long at most, and changes nothing', async () => {
  const { url, drop } = await postgresDatabase()
  const ledger = await openLedger({ kind: 'postgres', url })
  try {
    const all = MIGRATIONS.map(migration)
    await applyMigrations(ledger, all.slice(0, 1))
    await sql`insert into fruits select n, n from generate_series(1, 200000) n`.execute(ledger.db)
    await sql`analyze fruits`.execute(ledger.db)
    const plan = await planThese(ledger, all)
    expect(plan).toMatchObject({ present: 1, needed: 7 })
    const fruits = plan.migrations.map(({ name, tables }) => [name, tables.find((table) => table.name === 'fruits')])
    const rows = expect.closeTo(200_000, -3)
    expect(Object.fromEntries(fruits)).toEqual({
      expand: { name: 'fruits', rows, blocks: 'everything', touches: 'nothing' },
      fill: { name: 'fruits', rows, blocks: 'nothing', touches: 'writes' },
      rewrite: { name: 'fruits', rows, blocks: 'everything', touches: 'writes' },
      index: { name: 'fruits', rows, blocks: 'writes', touches: 'indexes' },
      refer: { name: 'fruits', rows, blocks: 'writes', touches: 'nothing' },
      contract: { name: 'fruits', rows, blocks: 'everything', touches: 'nothing' },
    })
    const [expand, fill, rewrite] = plan.migrations
    expect(expand).toMatchObject({ purpose: 'Fruits have a name.', creates: ['bowls'], worksFrom: null })
    expect(plan.migrations.at(-1)).toMatchObject({ worksFrom: 26 })
    expect(expand?.secondsMax).toBeLessThan(0.1)
    expect(fill?.secondsMax).toBeCloseTo(20.05, 1)
    expect(rewrite?.secondsMax).toBeCloseTo(20.05, 1)

    // Nothing was done. The last one waits for this very program, which is too old for what it leaves.
    expect((await applyMigrations(ledger, all.slice(0, -1))).applied).toHaveLength(5)
    expect((await planThese(ledger, all.slice(0, -1))).migrations).toEqual([])
  } finally {
    await ledger.close()
    await drop()
  }
})

function migration([version, name, text, worksFrom = null]: readonly [
  number,
  string,
  string,
  (number | null)?,
]): Migration {
  return { version, name, sql: text, checksum: createHash('sha256').update(text).digest('hex'), worksFrom }
}

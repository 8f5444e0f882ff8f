import { readdir, readFile } from 'node:fs/promises'
import type { Ledger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'

forEachLedger('the schema', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  test('[D21] the tables and columns are those that the types describe', async () => {
    const described = await describedColumns()
    expect(described.length).toBeGreaterThan(50)
    const { rows } = await sql<{ column: string }>`
      select table_name || '.' || column_name as column from information_schema.columns
       where table_schema = current_schema() order by 1`.execute(ledger.db)
    expect(described.sort()).toEqual(rows.map(({ column }) => column).sort())
  })

  test('[D21] a column may be left out of a new row exactly where the types say so', async () => {
    const optional = await describedColumns((type) =>
      /^(Generated|GeneratedAlways|Nullable|NullableTime|StampedTime)\b|undefined/.test(type),
    )
    const { rows } = await sql<{ column: string }>`
      select table_name || '.' || column_name as column from information_schema.columns
       where table_schema = current_schema()
         and (is_nullable = 'YES' or column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS')
       order by 1`.execute(ledger.db)
    expect(optional.sort()).toEqual(rows.map(({ column }) => column).sort())
  })

  test('[D21] the extensions that search needs are there', async () => {
    const { rows } = await sql<{ extname: string }>`
      select extname from pg_extension where extname in ('pg_trgm', 'unaccent') order by 1`.execute(ledger.db)
    expect(rows.map(({ extname }) => extname)).toEqual(['pg_trgm', 'unaccent'])
    const trigrams = await sql`select cardinality(show_trgm('콘서트')) > 0 as some`.execute(ledger.db)
    expect(trigrams.rows).toEqual([{ some: true }])
  })
})

/** The columns of a given type, of every table in `schema*.ts`. */
async function describedColumns(isWanted: (type: string) => boolean = () => true): Promise<string[]> {
  const folder = new URL('../../src/engine/schema/', import.meta.url)
  const files = (await readdir(folder)).filter((name) => /^schema.*\.ts$/.test(name))
  const text = (await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')))).join('\n')
  const tables = interfaceBody(text, 'export interface Schema')
  return Object.entries(tables).flatMap(([table, type]) =>
    Object.entries(interfaceBody(text, `interface ${type}`))
      .filter(([, columnType]) => isWanted(columnType))
      .map(([column]) => `${table}.${column}`),
  )
}

function interfaceBody(text: string, opening: string): Record<string, string> {
  const start = text.indexOf(`${opening} {`)
  if (start === -1) throw new Error(`schema.ts has no ${opening}`)
  const body = text.slice(start, text.indexOf('\n}', start))
  // A property begins with two blanks; what is indented deeper belongs to the type of the one before.
  const properties = body.split(/\n {2}(?=[a-z_]+: )/).slice(1)
  return Object.fromEntries(
    properties.map((property) => {
      const [, name = '', type = ''] = /^([a-z_]+): ([\s\S]*)$/.exec(property) ?? []
      return [name, type.replace(/\n\s*\/\*\*[\s\S]*$/, '').trim()]
    }),
  )
}

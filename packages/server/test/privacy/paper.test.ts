import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openScratchLedger } from '@seatwise/testbench'
import { expect, test } from 'vitest'
import { query } from '../support/payment-time.ts'

const PAPER = join(import.meta.dirname, '../../../../docs/privacy.md')

test('[A94] docs/privacy.md lists every column that can hold text, as personal or as not personal', async () => {
  const ledger = await openScratchLedger()
  try {
    const rows = await query<{ name: string }>(
      ledger.db,
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = current_schema()
          and data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY', 'bytea')`,
    )
    const { personal, others } = readPaper()
    expect(personal.length).toBeGreaterThan(30)
    expect([...personal, ...others].toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  } finally {
    await ledger.close()
  }
})

function readPaper(): { personal: string[]; others: string[] } {
  const text = readFileSync(PAPER, 'utf8')
  const [, ledger = ''] = /## In the ledger\n([\s\S]*?)\n## /.exec(text) ?? []
  const personal = ledger
    .split('\n')
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+\.\w+)`/g)].map(first))
  const [, rest = ''] = text.split('## Not personal')
  const others = rest.split('\n').flatMap((line) => {
    const [, table = '', columns = ''] = /^- `(\w+)`: (.*)$/.exec(line) ?? []
    return [...columns.matchAll(/`(\w+)`/g)].map((found) => `${table}.${first(found)}`)
  })
  return { personal, others }
}

function first([, name = '']: RegExpExecArray): string {
  return name
}

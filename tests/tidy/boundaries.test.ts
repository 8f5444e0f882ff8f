import { expect, it } from 'vitest'
import {
  fileCycles,
  forbiddenImports,
  impureDomain,
  manifestsBesideTheTable,
  packageCycles,
  readAllowedImports,
  sideDoors,
} from './rules/boundaries.ts'
import { importsOf } from './rules/imports.ts'
import { readSources } from './sources.ts'

const sources = readSources()
const allowed = readAllowedImports(sources)

it('[H4] domain imports nothing', () => {
  expect(sources.filter(({ path }) => path.startsWith('packages/domain/src/')).flatMap(importsOf)).not.toEqual([])
  expect(impureDomain(sources)).toEqual([])
})

it('[H4 control] a package, a Node module and a dynamic import are found in domain', () => {
  const path = 'packages/domain/src/seat.ts'
  expect(impureDomain([{ path, text: "import { ms } from './clock.ts'\n" }])).toEqual([])
  expect(impureDomain([{ path, text: "import {\n  sql,\n} from 'kysely'\n" }])).toHaveLength(1)
  expect(impureDomain([{ path, text: "import type { Hash } from 'node:crypto'\n" }])).toHaveLength(1)
  expect(impureDomain([{ path, text: "const fs = await import('node:fs')\n" }])).toHaveLength(1)
})

it('[H5] packages are entered by their doors only', () => {
  expect(sideDoors(sources)).toEqual([])
})

it('[H5 control] a path into another package is found, relative or by name', () => {
  const path = 'packages/server/src/main/app.ts'
  expect(sideDoors([{ path, text: "import { migrate } from '@seatwise/ledger'\n" }])).toEqual([])
  expect(sideDoors([{ path, text: "import { migrate } from '@seatwise/ledger/src/migrate.ts'\n" }])).toHaveLength(1)
  expect(sideDoors([{ path, text: "import { migrate } from '../../../ledger/src/migrate.ts'\n" }])).toHaveLength(1)
  expect(sideDoors([{ path: 'tests/race/a.test.ts', text: "import '../support/src/stores/redis.ts'\n" }])).toHaveLength(
    1,
  )
})

it('[H6] packages import each other only as the table in ARCHITECTURE.md allows', () => {
  expect([...allowed.keys()].sort()).toEqual(packageFolders())
  expect(forbiddenImports(sources, allowed)).toEqual([])
  expect(manifestsBesideTheTable(sources, allowed)).toEqual([])
})

it('[H6 control] an import and a manifest beside the table are found', () => {
  const table = new Map([['line', new Set(['domain'])]])
  const path = 'packages/line/src/join.ts'
  expect(forbiddenImports([{ path, text: "import { a } from '@seatwise/domain'\n" }], table)).toEqual([])
  expect(forbiddenImports([{ path, text: "import { a } from '@seatwise/ledger'\n" }], table)).toHaveLength(1)
  const manifest = { path: 'packages/line/package.json', text: '{"dependencies":{"@seatwise/ledger":"0.1.0"}}' }
  expect(manifestsBesideTheTable([manifest], table)).toHaveLength(1)
})

it('[H7] the checker imports nothing of the product', () => {
  expect(allowed.get('checker')).toEqual(new Set())
})

it('[H8] there are no cycles, neither between packages nor between files', () => {
  expect(packageCycles(allowed)).toEqual([])
  expect(fileCycles(sources)).toEqual([])
})

it('[H8 control] a cycle of packages and a cycle of files are found; a cycle of types is none', () => {
  expect(
    packageCycles(
      new Map([
        ['line', new Set(['seats'])],
        ['seats', new Set(['line'])],
      ]),
    ),
  ).toHaveLength(1)
  const two = (word: string) => [
    { path: 'packages/line/src/a.ts', text: `${word} { b } from './b.ts'\n` },
    { path: 'packages/line/src/b.ts', text: "import { a } from './a.ts'\n" },
  ]
  expect(fileCycles(two('import'))).toEqual([
    'a cycle: packages/line/src/a.ts → packages/line/src/b.ts → packages/line/src/a.ts',
  ])
  expect(fileCycles(two('import type'))).toEqual([])
})

function packageFolders(): string[] {
  return sources.flatMap(({ path }) => /^packages\/([^/]+)\/package\.json$/.exec(path)?.[1] ?? []).sort()
}

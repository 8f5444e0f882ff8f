import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { type Migration, readMigrations } from '../../src/engine/migrate.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

it('[D33] every migration is as it was when it was committed', async () => {
  const migrations = await readMigrations(FOLDER)
  expect(migrations.length).toBeGreaterThan(0)
  expect(differences(migrations, await readFile(new URL('checksums.txt', FOLDER), 'utf8'))).toEqual([])
})

it('[D33 control] a migration that was edited, removed or not listed is found', async () => {
  const migrations = await readMigrations(FOLDER)
  const list = migrations.map(({ checksum, name }) => `${checksum}  ${name}.sql\n`).join('')
  expect(differences(migrations, list)).toEqual([])
  const [first, ...others] = migrations as [Migration, ...Migration[]]
  expect(differences([{ ...first, checksum: '0'.repeat(64) }, ...others], list)).toEqual([`${first.name} was edited`])
  expect(differences(others, list)).toEqual([`${first.name} was removed`])
  expect(differences([...migrations, { ...first, name: '999-new' }], list)).toEqual(['999-new is not listed'])
})

/** Compares migrations with a list as `sha256sum *.sql` prints it. */
function differences(migrations: readonly Migration[], list: string): string[] {
  const listed = new Map(
    list.split('\n').flatMap((line) => {
      const [checksum, file] = line.split('  ')
      return checksum === undefined || file === undefined ? [] : [[file.replace('.sql', ''), checksum] as const]
    }),
  )
  const changed = migrations.flatMap(({ name, checksum }) => {
    const known = listed.get(name)
    if (known === undefined) return [`${name} is not listed`]
    return known === checksum ? [] : [`${name} was edited`]
  })
  const removed = [...listed.keys()].filter((name) => !migrations.some((migration) => migration.name === name))
  return [...changed, ...removed.map((name) => `${name} was removed`)]
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LONGEST } from './longest-files.ts'

const root = join(import.meta.dirname, '../..')

test('[T23] the files that are known to take longest are there', () => {
  expect(LONGEST.length).toBeGreaterThan(0)
  expect(LONGEST.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

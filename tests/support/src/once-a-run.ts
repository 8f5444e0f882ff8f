import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { waitUntil } from './wait-until.ts'

/** Longer than anything takes that is made once, also on a busy machine. */
const MADE_MS_MAX = 50_000

/**
 * Makes something that all test files of a run share: whoever needs it first makes it, whoever comes meanwhile waits. It
 * is made under another name, so that nobody finds half of it.
 */
export async function onceARun(path: string, make: (draft: string) => Promise<void>): Promise<void> {
  if (existsSync(path)) return
  if (!(await isFirst(`${path}.making`))) {
    await waitUntil(`another test has made ${path}`, () => existsSync(path), { timeoutMs: MADE_MS_MAX, everyMs: 50 })
    return
  }
  const draft = `${path}.draft`
  await make(draft)
  await rename(draft, path)
}

/** Making a folder succeeds for exactly one of those who try. */
async function isFirst(marker: string): Promise<boolean> {
  try {
    await mkdir(marker)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

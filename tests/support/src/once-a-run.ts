import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { waitUntil } from './wait-until.ts'

/** Longer than anything takes that is made once, also on a busy machine. */
const MADE_MS_MAX = 50_000

/**
 * Makes something that all test files of a run share: the first file that needs it makes it, the others wait. It
 * is made under another name, so that no file finds half of it; after a failure the other files do not try again.
 */
export async function onceARun(path: string, make: (draft: string) => Promise<void>): Promise<void> {
  if (existsSync(path)) return
  const [draft, failure] = [`${path}.draft`, `${path}.failure`]
  if (!(await isFirst(`${path}.making`))) {
    const isOver = (): boolean => existsSync(path) || existsSync(failure)
    await waitUntil(`another test has made ${path}`, isOver, { timeoutMs: MADE_MS_MAX, everyMs: 50 })
    if (existsSync(failure)) throw new Error(readFileSync(failure, 'utf8'))
    return
  }
  try {
    await make(draft)
  } catch (error) {
    await writeFile(failure, String(error))
    throw error
  }
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

import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { waitUntil } from './wait-until.ts'

/** Longer than anything takes that is made once, also on a busy machine. */
const MADE_MS_MAX = 50_000

/**
 * Makes something that all test files of a run share: whoever needs it first makes it, whoever comes meanwhile waits. It
 * is made under another name, so that nobody finds half of it; what cannot be made is not tried again by everybody.
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

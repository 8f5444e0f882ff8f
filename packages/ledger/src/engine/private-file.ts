import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'

/** Writes a file that only its owner can read. A reader sees the old text or the new, never a part. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

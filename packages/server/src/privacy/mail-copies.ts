import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/index.ts'

/** Between two batches other work of the server runs. */
const BATCH = 100
const DAY_MS = 86_400_000

/** Copies of mail that an embedded server keeps in a folder. */
export async function removeMailTo(config: Config, texts: readonly string[]): Promise<void> {
  const addresses = texts.filter((text) => text.includes('@')).map((address) => address.toLowerCase())
  await removeMails(config, async (file) => {
    const mail = (await readFile(file, 'utf8')).toLowerCase()
    return addresses.some((address) => mail.includes(address))
  })
}

export async function removeOldMail(config: Config, nowMs: number): Promise<void> {
  const before = nowMs - config.retentionDays * DAY_MS
  await removeMails(config, async (file) => (await stat(file)).mtimeMs < before)
}

async function removeMails({ mode, dataDir }: Config, isOver: (file: string) => Promise<boolean>): Promise<void> {
  if (mode !== 'embedded') return
  const folder = join(dataDir, 'mailbox')
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (let from = 0; from < names.length; from += BATCH) {
    await Promise.all(
      names.slice(from, from + BATCH).map(async (name) => {
        const file = join(folder, name)
        if (await isOver(file)) await rm(file, { force: true })
      }),
    )
  }
}

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Head } from '@seatwise/checker'

/** A head is small; a folder of a long sale is read whole. */
const NAME = /^head-\d{16}-[0-9a-f]{16}\.json$/

/** The heads in a folder, smallest first. An empty or missing folder has none. */
export function readKeptHeads(folder: string): Head[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => NAME.test(name))
  return names.sort().map((name) => readHead(join(folder, name)))
}

/** Two heads of one size have different names, so that neither replaces the other. */
export function keepHead(folder: string, head: Head): void {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `head-${String(head.size).padStart(16, '0')}-${head.root.slice(0, 16)}.json`)
  if (existsSync(file)) return
  // A witness that is killed while it writes leaves no half a head.
  writeFileSync(`${file}.new`, `${JSON.stringify(head, null, 2)}\n`)
  renameSync(`${file}.new`, file)
}

function readHead(file: string): Head {
  const head = JSON.parse(readFileSync(file, 'utf8')) as Partial<Head>
  const { size, root, at = '', kid = '', checkpoint } = head
  if (typeof size !== 'number' || typeof root !== 'string' || typeof checkpoint !== 'string') {
    throw new Error(`${file} is not a head of a log`)
  }
  return { size, root, at, kid, checkpoint }
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { fastTemporaryFolder } from './fast-temporary-folder.ts'

const own = mkdtempSync(join(tmpdir(), 'seatwise-'))
afterAll(() => rmSync(own, { recursive: true }))

const ROOM = 2 ** 34
/** What the system would say of the folder. */
function mounted(kind: string, options: string): string {
  const file = join(own, `${kind}-${options}`)
  writeFileSync(file, `/dev/sda / ext4 rw 0 0\n${kind} ${own} ${kind} ${options} 0 0\n`)
  return file
}

it('[T24] a folder in memory with room is taken', () => {
  expect(fastTemporaryFolder(own, mounted('tmpfs', 'rw,relatime'), ROOM, 0)).toBe(own)
})

it('[T24] one that is small, on a disk, without programs or absent is not', () => {
  for (const chosen of [
    fastTemporaryFolder(own, mounted('tmpfs', 'rw,relatime'), ROOM, Number.MAX_SAFE_INTEGER),
    fastTemporaryFolder(own, mounted('tmpfs', 'rw,relatime'), 0, 1),
    fastTemporaryFolder(own, mounted('ext4', 'rw,relatime'), ROOM, 0),
    fastTemporaryFolder(own, mounted('tmpfs', 'rw,noexec'), ROOM, 0),
    fastTemporaryFolder(join(own, 'absent'), mounted('tmpfs', 'rw,relatime'), ROOM, 0),
  ]) {
    expect(chosen).toBe(tmpdir())
  }
})

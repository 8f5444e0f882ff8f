import { open, statfs } from 'node:fs/promises'
import { join } from 'node:path'

const PROBE = 'readiness-probe'
const PROBE_BYTES = 8 * 1024
/** The log grows by segments of 16 MB, and takes the next before the last is full; tables grow beside it. */
const FREE_BYTES_MIN = 32 * 1024 * 1024

/**
 * Rejects unless the folder of an embedded ledger takes a write now and has room for those that come. A full disk does not
 * show in the ledger at once: the log has room until its segment is full, while tables cannot grow any more.
 */
export async function proveDisk(folder: string): Promise<void> {
  const file = await open(join(folder, PROBE), 'w', 0o600)
  try {
    await file.write(Buffer.alloc(PROBE_BYTES))
    await file.datasync()
  } finally {
    await file.close()
  }
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free < FREE_BYTES_MIN) throw new Error(`Only ${Math.floor(free / 2 ** 20)} MB are free in the data folder`)
}

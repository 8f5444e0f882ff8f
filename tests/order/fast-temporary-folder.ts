import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

/** Far more than a whole run has there at any time. */
const BYTES_MIN = 8 * 2 ** 30

/**
 * A folder in memory where the machine has one with room, otherwise the usual one. Tests copy, change and remove whole
 * databases of a thousand files each, some hundred times: on a disk that was a third of the time spent in the system.
 */
export function fastTemporaryFolder(
  folder = '/dev/shm',
  mounts = '/proc/mounts',
  freeBytes: number = freemem(),
  bytesMin: number = BYTES_MIN,
): string {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    const isRoomy = Math.min(bavail * bsize, freeBytes) >= bytesMin
    return isRoomy && isUsableMemory(folder, readFileSync(mounts, 'utf8')) ? folder : tmpdir()
  } catch {
    return tmpdir() // Another system, which has no such folder.
  }
}

/** Tests also run programs from there, which a container may forbid. */
function isUsableMemory(folder: string, mounts: string): boolean {
  const mount = mounts.split('\n').find((line) => line.split(' ')[1] === folder)
  const [, , kind, options] = mount?.split(' ') ?? []
  return kind === 'tmpfs' && options !== undefined && !options.split(',').includes('noexec')
}

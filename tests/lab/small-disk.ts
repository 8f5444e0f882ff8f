import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from '@seatwise/testbench'

export interface SmallDisk {
  /** Whatever makes temporary folders meanwhile makes them here. */
  hold<Result>(work: () => Promise<Result>): Promise<Result>
  fill(): void
  empty(): void
  unmount(): Promise<void>
}

/** A disk of a few megabytes in memory. Mounting one needs root. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await temporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=1777`, 'tmpfs', folder])
  const ballast = join(folder, 'ballast')
  return {
    async hold(work) {
      const before = process.env.TMPDIR
      process.env.TMPDIR = folder
      try {
        return await work()
      } finally {
        if (before === undefined) delete process.env.TMPDIR
        else process.env.TMPDIR = before
      }
    },
    fill() {
      const { bavail, bsize } = statfsSync(folder)
      try {
        writeFileSync(ballast, Buffer.alloc(bavail * bsize))
      } catch (error) {
        // Others write at the same time: it is full sooner than was counted.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    async unmount() {
      execFileSync('umount', ['-l', folder])
      await removeFolder(folder)
    },
  }
}

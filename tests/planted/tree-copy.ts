import { readFileSync, writeFileSync } from 'node:fs'
import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from '@seatwise/testbench'
import { type Defect, plant } from './defect.ts'

export const root = join(import.meta.dirname, '../..')

/** What tests of the packages read. */
const COPIED = ['packages', 'tests', 'spec', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts']
/** Links to our own packages, which must lead into the copy. */
const OWN_PACKAGES = ['@seatwise', 'seatwise']

/** A copy of the working tree in which one defect at a time is planted. Installed packages are shared with the original. */
export class TreeCopy {
  readonly folder: string

  static async make(): Promise<TreeCopy> {
    const folder = await temporaryFolder()
    const copied = COPIED.map((name) => cp(join(root, name), join(folder, name), { recursive: true }))
    await Promise.all([...copied, linkPackages(folder)])
    return new TreeCopy(folder)
  }

  constructor(folder: string) {
    this.folder = folder
  }

  /** Runs something while the defect is in the copy. */
  async with<Result>(defect: Defect, work: () => Promise<Result>): Promise<Result> {
    const undo = this.change(defect)
    try {
      return await work()
    } finally {
      undo()
    }
  }

  /** Edits a file of the copy; the returned function undoes that. */
  change(defect: Pick<Defect, 'name' | 'file' | 'edits'>): () => void {
    const path = join(this.folder, defect.file)
    const original = readFileSync(path, 'utf8')
    const planted = plant(defect, original)
    if ('problem' in planted) throw new Error(planted.problem)
    writeFileSync(path, planted.text)
    return () => writeFileSync(path, original)
  }

  async remove(): Promise<void> {
    await removeFolder(this.folder)
  }
}

/** A folder of links: a link to the whole of `node_modules` would lead our own packages back to the original. */
async function linkPackages(folder: string): Promise<void> {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  await mkdir(to)
  const shared = (await readdir(from)).filter((name) => !OWN_PACKAGES.includes(name))
  await Promise.all(shared.map((name) => symlink(join(from, name), join(to, name))))
  const own = OWN_PACKAGES.map((name) =>
    cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true }),
  )
  await Promise.all(own)
}

import { execFile } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startChild } from '@seatwise/testbench'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
/** Written by `node tests/upgrade/pack-release.ts` when a version is published; last-release.json says of which commit. */
const LAST_RELEASE = join(import.meta.dirname, 'last-release.tgz')

/** A program of some version, unpacked where it finds the repository's packages. */
export interface Release {
  readonly name: string
  /** What Node is told to run. */
  readonly program: readonly string[]
  /** Runs one of its commands to the end. */
  run(args: readonly string[], env: Record<string, string>): Promise<{ code: number | null; output: string }>
}

/** The last one that was published. */
export async function lastRelease(folder: string): Promise<Release> {
  const place = await makePlace(folder, 'last')
  await run('tar', ['-xzf', LAST_RELEASE, '-C', place])
  return releaseIn(place, 'last')
}

/** The working tree. */
export async function thisRelease(folder: string): Promise<Release> {
  const place = await makePlace(folder, 'this')
  await run(process.execPath, [join(import.meta.dirname, 'pack-release.ts'), join(place, 'packed')], { cwd: root })
  return releaseIn(join(place, 'packed'), 'this')
}

/** The working tree with more migrations: what a later version may bring. */
export async function laterRelease(
  folder: string,
  name: string,
  migrations: Readonly<Record<string, string>>,
): Promise<Release> {
  const place = await makePlace(folder, name)
  await cp(join(folder, 'this', 'packed'), place, { recursive: true })
  const own = join(place, 'packages/ledger/migrations')
  for (const [file, text] of Object.entries(migrations)) await writeFile(join(own, file), text)
  return releaseIn(place, name)
}

async function makePlace(folder: string, name: string): Promise<string> {
  const place = join(folder, name)
  await mkdir(place)
  await symlink(join(root, 'node_modules'), join(place, 'node_modules'))
  return place
}

function releaseIn(place: string, name: string): Release {
  const program = [join(place, 'seatwise.mjs')]
  return {
    name,
    program,
    async run(args, env) {
      const child = await startChild(`seatwise ${args[0]} of ${name}`, process.execPath, [...program, ...args], {
        env: { PATH: process.env.PATH, ...env },
      })
      const { code } = await child.exited
      return { code, output: child.output() }
    },
  }
}

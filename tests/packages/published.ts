import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const run = promisify(execFile)

/** `npm run build` into a folder of its own. */
export async function buildPackages(folder: string): Promise<void> {
  await run(process.execPath, [join(root, 'scripts/build.mjs'), folder], { cwd: root })
}

/**
 * A project with the tarballs unpacked as npm does it. What `seatwise` depends on is found in the folder above, where the
 * repository's packages are linked, so that nothing is downloaded; the long test installs everything anew.
 */
export async function projectWithTarballs(folder: string, built: string): Promise<string> {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const project = join(folder, 'project')
  for (const tarball of readdirSync(built).filter((name) => name.endsWith('.tgz'))) {
    const name = tarball.startsWith('seatwise-0') ? 'seatwise' : `@seatwise/${tarball.split('-')[1]}`
    const place = join(project, 'node_modules', name)
    mkdirSync(place, { recursive: true })
    await run('tar', ['-xzf', join(built, tarball), '-C', place, '--strip-components=1'])
  }
  return project
}

/** An empty project in which npm installed these, from the registry where they are not files. */
export async function projectWith(folder: string, name: string, packages: readonly string[]): Promise<string> {
  const project = join(folder, name)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n')
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  await run('npm', ['install', ...quiet, ...packages], { cwd: project })
  return project
}

/** What a strict consumer of all three has; how it is compiled is up to the test. */
export function writeConsumer(project: string, options: Readonly<Record<string, unknown>>): void {
  copyFileSync(join(import.meta.dirname, 'fixtures/consumer.fixture.ts'), join(project, 'consumer.ts'))
  // The door of the published command is the program, that of the sources is for tests.
  const program =
    "import { main } from 'seatwise'\nexport const run: (args: readonly string[]) => Promise<void> = main\n"
  writeFileSync(join(project, 'program.ts'), program)
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.asynciterable'],
    types: [],
    noEmit: true,
    ...options,
  }
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['consumer.ts', 'program.ts'] }),
  )
}

/** The machine's own Node and the one that the repository installs, without repetition. */
export async function nodes(): Promise<readonly string[]> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  const { stdout } = await run('sh', ['-c', 'command -v node || true'], { env: { PATH: folders.join(delimiter) } })
  const own = stdout.trim()
  return own === '' ? [process.execPath] : [own, process.execPath]
}

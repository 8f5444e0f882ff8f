import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** A folder with our scripts, a space in its name, an npm of its own making and nothing installed. */
export interface MiniatureRepository {
  readonly root: string
  write(path: string, text: string): void
  /** How often the packages were installed. */
  installs(): number
  /** Starts a script as `npm` would. */
  start(script: string, args?: readonly string[], env?: Record<string, string>): ChildProcess
  /** Runs a script to its end. */
  run(script: string, args?: readonly string[], env?: Record<string, string>): Promise<Ended>
  remove(): void
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export function miniatureRepository(): MiniatureRepository {
  const root = join(mkdtempSync(join(tmpdir(), 'seatwise-miniature-')), 'a space')
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { mode: 0o755 })
  }
  cpSync(join(repository, 'scripts'), join(root, 'scripts'), { recursive: true })
  cpSync(join(repository, '.ci'), join(root, '.ci'), { recursive: true })
  write('package.json', '{"allowScripts":{}}')
  write('package-lock.json', '{"packages":{"":{},"node_modules/node":{"version":"26.0.0","integrity":"sha512-…"}}}')
  write('npm/npm-cli.js', FAKE_NPM)
  write('packages/web/src/build/build-pages.ts', '')

  const start = (script: string, args: readonly string[] = [], env: Record<string, string> = {}): ChildProcess =>
    spawn(process.execPath, [join(root, 'scripts', script), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, npm_execpath: join(root, 'npm', 'npm-cli.js'), REPOSITORY: repository, ...env },
    })
  return {
    root,
    write,
    start,
    installs: () =>
      existsSync(join(root, 'installs.log')) ? readFileSync(join(root, 'installs.log'), 'utf8').length : 0,
    run: (script, args, env) => ended(start(script, args, env)),
    remove: () => rmSync(dirname(root), { recursive: true }),
  }
}

export function ended(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const output = { stdout: '', stderr: '' }
    child.stdout?.on('data', (chunk) => {
      output.stdout += chunk
    })
    child.stderr?.on('data', (chunk) => {
      output.stderr += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...output }))
  })
}

// Does what `npm ci` does, as far as the scripts can see: it links this repository's Node and Vitest.
const FAKE_NPM = `
const { appendFileSync, mkdirSync, symlinkSync } = require('node:fs')
const { join } = require('node:path')
if (process.argv[2] !== 'ci') throw new Error('expected npm ci')
appendFileSync('installs.log', '.')
if (process.env.FAIL_INSTALL) {
  console.error('npm error network is unreachable')
  process.exit(7)
}
mkdirSync('node_modules', { recursive: true })
for (const name of ['node', 'vitest']) symlinkSync(join(process.env.REPOSITORY, 'node_modules', name), join('node_modules', name))
`

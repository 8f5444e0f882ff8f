import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ended, type MiniatureRepository, miniatureRepository } from './miniature-repository.ts'

let repository: MiniatureRepository
beforeEach(() => {
  repository = miniatureRepository()
  repository.write('packages/cli/bin/seatwise.mjs', 'console.log(process.version, ...process.argv.slice(2))')
})
afterEach(() => repository.remove())

it('[G1] an old Node gets one sentence', async () => {
  for (const script of ['start.mjs', 'test.mjs', 'check.mjs']) {
    const { code, stdout, stderr } = await repository.run(script, [], pretend("versions: { node: '18.20.0' }"))
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe('Seatwise needs Node 20 or later to set itself up; this is Node 18.20.0.\n')
  }
})

it('[G1] a platform without Node 26 gets one sentence', async () => {
  const { code, stderr } = await repository.run('start.mjs', [], pretend("platform: 'sunos', arch: 'x64'"))
  expect(code).toBe(1)
  expect(stderr).toMatch(/^Seatwise runs on linux-x64, .*; this machine is sunos-x64\.\n$/)
  expect(repository.installs()).toBe(0)
})

it('[G2 G5] installs, then serves with Node 26 and the arguments it was given', async () => {
  const { code, stdout } = await repository.run('start.mjs', ['--help', 'two words'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Installing packages .*\nv26\.\d+\.\d+ serve --help two words\n$/)
})

it('[G3] installs once, and again when package-lock.json changed or node_modules went away', async () => {
  await repository.run('start.mjs')
  const second = await repository.run('start.mjs')
  expect(second.stdout).not.toContain('Installing')
  expect(repository.installs()).toBe(1)

  repository.write('package-lock.json', '{"packages":{"":{},"node_modules/node":{"version":"26.0.1"}}}')
  rmSync(join(repository.root, 'node_modules'), { recursive: true })
  await repository.run('start.mjs')
  expect(repository.installs()).toBe(2)
})

it('[G3] does not install again what a developer just installed by hand', async () => {
  await repository.run('start.mjs')
  rmSync(join(repository.root, 'node_modules', '.seatwise-install'))
  const hidden = (version: string) => JSON.stringify({ packages: { 'node_modules/node': { version } } })
  repository.write('node_modules/.package-lock.json', hidden('26.0.0'))
  expect(await repository.run('start.mjs')).toMatchObject({ code: 0 })
  expect(repository.installs()).toBe(1)
})

it('[G4] a failed install ends with a sentence and what npm said, and is tried again', async () => {
  const { code, stderr } = await repository.run('start.mjs', [], { FAIL_INSTALL: '1' })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^Installing packages failed \(npm ci ended with 7\); this is what npm said:\n/)
  expect(stderr).toContain('npm error network is unreachable')
  expect(await repository.run('start.mjs')).toMatchObject({ code: 0 })
  expect(repository.installs()).toBe(2)
})

it('[G5] signals reach the server, and its exit code comes back', async () => {
  repository.write(
    'packages/cli/bin/seatwise.mjs',
    "process.on('SIGTERM', () => process.exit(42)); setInterval(() => {}, 1000); console.log('ready')",
  )
  const child = repository.start('start.mjs')
  child.stdout?.on('data', (chunk) => {
    if (String(chunk).includes('ready')) child.kill('SIGTERM')
  })
  expect(await ended(child)).toMatchObject({ code: 42 })
})

it('[G5] a server that was killed counts as failed', async () => {
  repository.write('packages/cli/bin/seatwise.mjs', "process.kill(process.pid, 'SIGKILL')")
  expect(await repository.run('start.mjs')).toMatchObject({ code: 137 })
})

it('[G5] a server stops by itself when its npm was killed outright', async () => {
  repository.write(
    'packages/cli/bin/seatwise.mjs',
    "process.on('SIGTERM', () => { console.log('stopped'); process.exit(0) }); setInterval(() => {}, 1000); console.log('ready')",
  )
  repository.write(
    'npm.mjs',
    "import { spawn } from 'node:child_process'\nimport { join } from 'node:path'\nspawn(process.execPath, [join(import.meta.dirname, 'scripts/start.mjs')], { stdio: 'inherit' })",
  )
  const npm = repository.start('../npm.mjs')
  npm.stdout?.on('data', (chunk) => {
    if (String(chunk).includes('ready')) npm.kill('SIGKILL')
  })
  expect(await ended(npm)).toMatchObject({ stdout: expect.stringContaining('stopped') })
})

/** Settings that make Node believe something else about itself. */
function pretend(facts: string): Record<string, string> {
  const preload = `for (const [name, value] of Object.entries({ ${facts} })) Object.defineProperty(process, name, { value })`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` }
}

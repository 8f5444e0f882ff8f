import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Ended, ended, type MiniatureRepository, miniatureRepository } from './miniature-repository.ts'

let repository: MiniatureRepository
beforeEach(() => {
  repository = miniatureRepository()
})
afterEach(() => repository.remove())

it('[G9] runs every check even after one failed, and names each with its time', async () => {
  writeTools({ typescript: 'process.exit(2)', biome: 'process.exit(0)', knip: 'process.exit(0)' })
  const { code, stdout } = await repository.run('check.mjs')
  expect(code).toBe(1)
  expect(stdout).toMatch(/FAILED {2}types \([\d.]+ s\)\n/)
  for (const name of ['lint and format', 'unused code', 'package lock']) {
    expect(stdout).toMatch(new RegExp(`ok {6}${name} \\([\\d.]+ s\\)\\n`))
  }
})

it('[G9] ends with 0 when all is well, and takes a hint for a failure', async () => {
  writeTools({ typescript: '', biome: '', knip: '' })
  expect(await repository.run('check.mjs')).toMatchObject({ code: 0 })
  writeTools({ typescript: '', biome: "console.log('Found 1 info.')", knip: '' })
  expect(await repository.run('check.mjs')).toMatchObject({ code: 1 })
})

it('[G8] .ci/run ends with the counts of npm test', async () => {
  expect(await runCi({ check: 0, test: 0, line: '5 passed, 0 failed' })).toMatchObject({
    code: 0,
    stdout: 'check\n5 passed, 0 failed\n',
  })
  expect(await runCi({ check: 0, test: 1, line: '5 passed, 2 failed' })).toMatchObject({
    code: 1,
    stdout: 'check\n5 passed, 2 failed\n',
  })
})

it('[G8] a failed check is a failure, and the tests still run', async () => {
  const { code, stdout } = await runCi({ check: 1, test: 0, line: '5 passed, 0 failed' })
  expect(code).toBe(1)
  expect(stdout).toMatch(/\n5 passed, 1 failed\n$/)
})

it('[G8] a test run that could not count is a failure', async () => {
  const { code, stdout } = await runCi({ check: 0, test: 1, line: 'The tests need redis-server: …' })
  expect(code).toBe(1)
  expect(stdout).toMatch(/\n0 passed, 1 failed\n$/)
})

function writeTools(tools: { typescript: string; biome: string; knip: string }): void {
  repository.write('node_modules/typescript/bin/tsc', tools.typescript)
  repository.write('node_modules/@biomejs/biome/bin/biome', tools.biome)
  repository.write('node_modules/knip/bin/knip.js', tools.knip)
}

/** Runs .ci/run with an npm that answers as told. */
function runCi({ check, test, line }: { check: number; test: number; line: string }): Promise<Ended> {
  repository.write(
    'bin/npm',
    `#!/bin/sh\nif [ "$*" = 'run check' ]; then echo check; exit ${check}; fi\necho '${line}'; exit ${test}\n`,
  )
  const path = `${join(repository.root, 'bin')}:/usr/bin:/bin`
  return ended(spawn(join(repository.root, '.ci', 'run'), { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: path } }))
}

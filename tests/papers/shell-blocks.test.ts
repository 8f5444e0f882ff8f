import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { removeFolder, type Server, startServer, temporaryFolder } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
/** Where `npm start` listens when nothing is set. */
const USUAL_URL = 'http://127.0.0.1:3000'

let server: Server
let folder: string
beforeAll(async () => {
  folder = await temporaryFolder()
  server = await startServer({ mode: 'embedded', env: { SEATWISE_DEMO: 'on' } })
}, 120_000)
afterAll(async () => {
  await server?.discard()
  await removeFolder(folder)
})

const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))

function blocksOf(paper: string, language: string): string[] {
  const text = readFileSync(join(root, paper), 'utf8')
  return [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(([, of, block = '']) => (of === language ? [block] : []))
}

/** All blocks of a paper in one shell, as a reader types them; a variable that was never set ends it. */
async function runBlocks(blocks: readonly string[]): Promise<string> {
  const script = blocks.join('\n').replaceAll(USUAL_URL, server.url)
  const { stdout } = await run('sh', ['-euc', script], { cwd: folder, timeout: 60_000 })
  return stdout
}

it('[H28] the lines of README.md take a visitor from joining to having paid', async () => {
  const blocks = blocksOf('README.md', 'sh')
  expect(blocks.length).toBeGreaterThan(1)
  expect(await runBlocks(blocks)).toMatch(/"status":"admitted".*"status":"PAID"/s)
}, 90_000)

it('[H28] the lines of every guide run as they stand; those of docs/verify.md recompute the public log', async () => {
  const told = new Map<string, string>()
  for (const guide of guides) {
    const blocks = blocksOf(`docs/${guide}`, 'sh')
    if (blocks.length > 0) told.set(guide, await runBlocks(blocks))
  }
  expect(told.get('verify.md')).toMatch(/[1-9]\d* entries fit, the last hash is [0-9a-f]{64}/)
}, 90_000)

it('[H28] what README.md shows of a terminal is one command, which tests/commands runs', () => {
  const commands = blocksOf('README.md', 'console').flatMap((block) => block.match(/^\$ .*/gm) ?? [])
  expect(commands).toEqual(['$ npm start'])
})

it('[H28 control] a variable that was never set is noticed', async () => {
  await expect(runBlocks(['echo "$accessToken"'])).rejects.toThrow()
})

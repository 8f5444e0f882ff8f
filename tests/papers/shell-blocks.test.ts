import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { removeFolder, type Server, startServer, temporaryFolder } from '@seatwise/testbench'
import { Ajv } from 'ajv'
import ajvFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { blocksOf, papers } from './papers.ts'

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

/** All blocks of a paper in one shell, as a reader types them; a variable that was never set ends it. */
async function runBlocks(blocks: readonly string[]): Promise<string> {
  const script = blocks.join('\n').replaceAll(USUAL_URL, server.url)
  const { stdout } = await run('sh', ['-euc', script], { cwd: folder, timeout: 60_000 })
  return stdout
}

it('[H28] the lines of every guide run as they stand: a visitor pays, and the public log is recomputed', async () => {
  const told = new Map<string, string>()
  for (const paper of papers().filter((path) => !path.startsWith('examples/'))) {
    const blocks = of(paper, 'sh')
    if (blocks.length > 0) told.set(paper, await runBlocks(blocks))
  }
  expect(told.get('docs/calling.md')).toMatch(/"status":"admitted".*"status":"PAID"/s)
  expect(told.get('docs/verify.md')).toMatch(/[1-9]\d* entries fit, the last hash is [0-9a-f]{64}/)
}, 90_000)

it('[H28] what README.md shows of a terminal is one command, which tests/commands runs', () => {
  const commands = of('README.md', 'console').flatMap((block) => block.match(/^\$ .*/gm) ?? [])
  expect(commands).toEqual(['$ npm start'])
})

/** Where a body that a paper shows is sent to, or comes from. */
const BODIES: Readonly<Record<string, readonly string[]>> = {
  'docs/checkout.md': ['patch /api/events/{id}', 'patch /api/reservations/{id}'],
  'docs/door.md': ['post /api/events/{id}/sales'],
  // Not of this server's API: what it sends (errors, webhooks), a part of an answer, a socket's message, Debezium's settings.
  'docs/errors.md': [''],
  'docs/webhooks.md': [''],
  'docs/prices.md': [''],
  'docs/push.md': [''],
  'docs/change-data.md': [''],
}

it('[Y55] every body that is shown is JSON, and one that is sent is what its route takes', async () => {
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: Paths }
  const shown = papers()
    .map((paper) => [paper, of(paper, 'json')] as const)
    .filter(([, bodies]) => bodies.length > 0)
  expect(shown.map(([paper, bodies]) => [paper, bodies.length])).toEqual(
    Object.entries(BODIES)
      .map(([paper, routes]) => [paper, routes.length])
      .toSorted(),
  )
  for (const [paper, bodies] of shown) {
    for (const [index, text] of bodies.entries()) {
      const body: unknown = JSON.parse(text.replaceAll('"…"', '"0198f2a1-1111-7222-8333-444455556666"'))
      const [method = '', path = ''] = BODIES[paper]?.[index]?.split(' ') ?? []
      if (path !== '') expect(wrongWith(body, paths[path]?.[method]), `${paper} ${path}`).toEqual([])
    }
  }
})

it('[Y55 control] a field that the route does not take is found', async () => {
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: Paths }
  expect(wrongWith({ seatTypeId: 7 }, paths['/api/events/{id}/sales']?.post)).not.toEqual([])
})

type Paths = Record<string, Record<string, { requestBody?: { content: { 'application/json': { schema: object } } } }>>

function wrongWith(body: unknown, operation: Paths[string][string] | undefined): unknown[] {
  const schema = operation?.requestBody?.content['application/json'].schema
  if (schema === undefined) return ['there is no such route']
  const validate = ajvFormats.default(new Ajv({ strict: false, allErrors: true })).compile(schema)
  return validate(body) ? [] : (validate.errors ?? [])
}

const of = (paper: string, language: string): string[] =>
  blocksOf(paper).flatMap((block) => (block.language === language ? [block.text] : []))

it('[H28 control] a variable that was never set is noticed', async () => {
  await expect(runBlocks(['echo "$accessToken"'])).rejects.toThrow()
})

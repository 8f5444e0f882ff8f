import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import {
  type Child,
  expectFields,
  freePort,
  removeFolder,
  type Server,
  shape,
  startChild,
  startServer,
  temporaryFolder,
  waitUntil,
} from '@seatwise/testbench'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { examplesRun } from './examples.cases.ts'
import { buildPackages, nodes, projectWithTarballs, root, writeConsumer } from './published.ts'
import { openPage, walkIn } from './walk-in.ts'

const run = promisify(execFile)
const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version as string
/** At the start of a line, also where the names before it fill several. */
const IMPORT = /^(?:import |(?:import|export|\})[^'"\n=]* from )['"]([^'"\n]+)['"]/gm
const fixture = (name: string): string => join(import.meta.dirname, 'fixtures', name)

let folder: string
let project: string
let server: Server
beforeAll(async () => {
  folder = await temporaryFolder()
  const built = join(folder, 'dist')
  const starting = startServer({ mode: 'embedded' })
  await buildPackages(built)
  project = await projectWithTarballs(folder, built)
  server = await starting
}, 120_000)
afterAll(async () => {
  await server?.discard()
  await removeFolder(folder)
})

const published = (name: string): string => join(project, 'node_modules', name)
const filesOf = (name: string): string[] =>
  readdirSync(published(name), { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path))

describe.each(['@seatwise/client', '@seatwise/guard', 'seatwise'])('the tarball of %s', (name) => {
  it('[Y1] has its door, declarations, maps, papers and version, and neither tests nor sources', () => {
    const manifest = JSON.parse(readFileSync(join(published(name), 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name, version, type: 'module', license: 'Apache-2.0', engines: { node: '>=20' } })
    expect(manifest.private).toBeUndefined()
    const door = manifest.exports['.']
    const files = filesOf(name)
    for (const path of [door.types, door.default, './README.md', './LICENSE']) {
      expect(existsSync(join(published(name), path))).toBe(true)
    }
    const modules = files.filter((path) => path.endsWith('.js') && !path.includes('web/dist'))
    expect(modules.length).toBeGreaterThan(10)
    expect(modules.filter((path) => !files.includes(`${path}.map`))).toEqual([])
    expect(files.filter((path) => /\.test\.|(^|\/)test\/|[^d]\.ts$|\.tsx$/.test(path))).toEqual([])
  })

  it('[Y1] imports only what it declares, and names no file of TypeScript', () => {
    const manifest = JSON.parse(readFileSync(join(published(name), 'package.json'), 'utf8'))
    const declared = Object.keys(manifest.dependencies ?? {})
    const modules = filesOf(name).filter((path) => /\.(js|mjs|d\.ts)$/.test(path) && !path.includes('web/dist'))
    const foreign = new Set<string>()
    for (const path of modules) {
      const code = readFileSync(join(published(name), path), 'utf8')
      expect(code, path).not.toMatch(/['"]\.[\w./-]*\.tsx?['"]/)
      for (const [, specifier = ''] of code.matchAll(IMPORT)) {
        const isOutside = !specifier.startsWith('.') && !specifier.startsWith('node:')
        if (isOutside) foreign.add(specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'))
      }
    }
    expect([...foreign].filter((found) => !declared.includes(found) && !builtinModules.includes(found))).toEqual([])
    expect(foreign.size > 0).toBe(name === 'seatwise')
  })
})

it('[Y1] the repository says its version', async () => {
  const command = join(root, 'packages/cli/bin/seatwise.mjs')
  expect((await run(process.execPath, [command, '--version'])).stdout).toBe(`${version}\n`)
  expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain(`\n## ${version}`)
})

it('[Y2] the client joins and is told its position, on every Node', async () => {
  copyFileSync(fixture('use-client.mjs'), join(project, 'use-client.mjs'))
  const eventId = await makeEvent()
  for (const node of await nodes()) {
    const { stdout } = await run(node, [join(project, 'use-client.mjs'), server.url, eventId])
    expect(stdout).toMatch(/^position 1 on Node \d+\./)
  }
})

it('[Y3] the guard sends a visitor to wait and lets them in, on every Node', async () => {
  copyFileSync(fixture('use-guard.mjs'), join(project, 'use-guard.mjs'))
  for (const node of await nodes()) {
    const port = await freePort()
    const site = `http://127.0.0.1:${port}`
    const room = await makeRoom(site)
    const args = [join(project, 'use-guard.mjs'), server.url, room, String(port)]
    const child = await startChild('a guarded site', node, args)
    try {
      await waitUntil('it listens', () => child.output().includes('listening'))
      expect(await openPage(`${site}/cart`)).toEqual([303, `${server.url}/rooms/${room}/wait?to=%2Fcart`])
      const cookie = await walkIn(server.url, room, '/cart')
      expect(await (await fetch(`${site}/cart`, { headers: { cookie } })).text()).toMatch(/^the shop on Node \d+/)
    } finally {
      await child.stop()
    }
  }
})

it('[Y4] a strict consumer compiles against the declarations', async () => {
  writeConsumer(project, { module: 'nodenext' })
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project])
})

it('[Y5] seatwise serves the embedded product and its pages', async () => {
  const port = await freePort()
  const [node = process.execPath] = await nodes()
  const command = join(published('seatwise'), 'packages/cli/bin/seatwise.mjs')
  expect((await run(node, [command, '--version'])).stdout).toBe(`${version}\n`)
  const child: Child = await startChild('packed seatwise', node, [command, 'serve'], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: String(port), SEATWISE_DATA_DIR: join(folder, 'data') },
  })
  try {
    await waitUntil('it runs', () => child.output().includes('Ctrl-C stops it.'), { timeoutMs: 60_000 })
    const page = await (await fetch(`http://127.0.0.1:${port}/`)).text()
    expect(page).toContain('Aurora Live')
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? []
    expect((await fetch(`http://127.0.0.1:${port}${script}`)).status).toBe(200)
  } finally {
    expect(await child.stop()).toEqual({ code: 0, signal: null })
  }
}, 90_000)

examplesRun(() => ({ project, server, makeRoom }))

it('[Y6] the client is at most 8 KB and brings nothing along', async () => {
  const input = join(published('@seatwise/client'), 'lib/index.js')
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: true, modulePreload: false, rolldownOptions: { input } },
  })
  const [{ output }] = [built].flat() as [Rolldown.RolldownOutput]
  expect(output).toHaveLength(1)
  expect(gzipSync(output[0].code).length).toBeLessThanOrEqual(8 * 1024)
})

async function makeEvent(): Promise<string> {
  const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()
  const event = { name: 'A packed sale', totalSeats: 10, salesStartAt: at(-1), salesEndAt: at(1) }
  // Nobody is admitted, so that whoever joins waits.
  return await create('/api/events', { ...event, room: { paused: true, guests: true } })
}

async function makeRoom(target: string): Promise<string> {
  return await create('/api/rooms', { name: 'A shop', target, guests: true, burst: 10, ratePerMinute: 600 })
}

async function create(path: string, body: object): Promise<string> {
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${await server.adminToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return expectFields(await answer.json(), { id: shape.text }).id
}

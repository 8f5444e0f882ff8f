import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { removeFolder, temporaryFolder } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from './published.ts'

const run = promisify(execFile)
const NEEDED =
  /^(scripts\/|\.changeset\/|examples\/|package(-lock)?\.json$|CHANGELOG\.md$|docs\/guides\/integrator\.md$|(packages\/[a-z]+|tests\/support)\/package\.json$)/

let copy: string
beforeAll(async () => {
  copy = await temporaryFolder()
  const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const path of stdout.split('\n').filter((name) => NEEDED.test(name))) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    cpSync(join(root, path), join(copy, path))
  }
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  }
  await run('git', ['init', '--quiet', '--initial-branch=main'], { cwd: copy })
})
afterAll(() => removeFolder(copy))

const read = (path: string): string => readFileSync(join(copy, path), 'utf8')
const raise = (): Promise<{ stdout: string }> =>
  run(process.execPath, [join(copy, 'scripts/version.mjs')], { cwd: copy })

it('[Y62] without a changeset no version is raised', async () => {
  const before = read('package.json')
  await expect(raise()).rejects.toThrow(/There is no changeset/)
  expect(read('package.json')).toBe(before)
})

it('[Y62] a changeset of one package raises all of them, what they ask of each other, the examples and the changelog', async () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const [major, minor] = version.split('.').map(Number)
  const next = `${major}.${Number(minor) + 1}.0`
  const text = "---\n'@seatwise/client': minor\n---\n\nPlaces can be given to a friend.\nThe friend must ask.\n"
  writeFileSync(join(copy, '.changeset/brave-lines-wait.md'), text)
  await raise()
  const manifests = ['package.json', 'tests/support/package.json', ...under('packages'), ...under('examples')]
  const ours = manifests.flatMap((path) => [...read(path).matchAll(/"(@seatwise\/[a-z]+|seatwise)": "(\d[^"]*)"/g)])
  expect(ours.length).toBeGreaterThan(20)
  expect(ours.filter(([, , asked]) => asked !== next)).toEqual([])
  const versions = manifests
    .filter((path) => !path.startsWith('examples/'))
    .map((path) => JSON.parse(read(path)).version)
  expect([...new Set(versions)]).toEqual([next])
  const lock = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { version?: string; link?: boolean }>
  }
  const workspaces = Object.entries(lock.packages).filter(
    ([place, entry]) => !place.includes('node_modules/') && !entry.link,
  )
  expect(workspaces.filter(([, entry]) => entry.version !== next)).toEqual([])
  expect(lock.packages['node_modules/forwarded']?.version).toBe('0.2.0')
  expect(read('CHANGELOG.md')).toContain(
    `\n## ${next}\n\n- Places can be given to a friend.\n  The friend must ask.\n\n## ${version}`,
  )
  expect(readdirSync(join(copy, '.changeset'))).toEqual(['config.json'])
  await expect(raise()).rejects.toThrow(/There is no changeset/)
}, 60_000)

const under = (folder: string): string[] =>
  readdirSync(join(copy, folder)).map((name) => `${folder}/${name}/package.json`)

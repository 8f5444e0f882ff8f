import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lockFileFindings } from '../../scripts/support/check-lock-file.mjs'
import { deadReferences, looseVersions, unjustifiedPackages, wrongDoors } from './rules/papers.ts'
import { readSources, root } from './sources.ts'

const sources = readSources()

it('[H19] ARCHITECTURE.md says why of every npm package', () => {
  expect(unjustifiedPackages(sources)).toEqual([])
})

it('[H19 control] a package without a reason and a reason without a package are found', () => {
  const table = '## npm packages\n\n| package | why |\n| --- | --- |\n| `pg` | PostgreSQL |\n'
  const paper = { path: 'ARCHITECTURE.md', text: table }
  expect(unjustifiedPackages([paper, { path: 'package.json', text: '{"dependencies":{"pg":"8.0.0"}}' }])).toEqual([])
  expect(
    unjustifiedPackages([paper, { path: 'package.json', text: '{"devDependencies":{"left-pad":"1.0.0"}}' }]),
  ).toHaveLength(2)
})

it('[H20] every npm package has one exact version', () => {
  expect(looseVersions(sources)).toEqual([])
})

it('[H20 control] a range is found', () => {
  expect(looseVersions([{ path: 'package.json', text: '{"dependencies":{"pg":"^8.0.0"}}' }])).toHaveLength(1)
})

it('[H21] every package has one door', () => {
  expect(wrongDoors(sources)).toEqual([])
})

it('[H21 control] a second door is found', () => {
  const text = '{"exports":{".":"./src/index.ts","./keys":"./src/keys.ts"}}'
  expect(wrongDoors([{ path: 'packages/line/package.json', text }])).toHaveLength(1)
})

it('[H22] links and file names in the papers lead somewhere', () => {
  const papers = sources.filter(({ path }) => path.endsWith('.md'))
  expect(papers.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md']),
  )
  expect(deadReferences(papers, (path) => existsSync(join(root, path)))).toEqual([])
})

it('[H22 control] a dead link and a dead file name are found', () => {
  const text = 'See [rules](spec/none.md) and `packages/none/src/a.ts`.'
  expect(deadReferences([{ path: 'README.md', text }], () => false)).toHaveLength(2)
})

it('[H23] the lock file pins every package by hash, names no host and allows no foreign install script', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  expect(Object.keys(lock.packages).length).toBeGreaterThan(100)
  expect(lockFileFindings(lock, ['node'])).toEqual([])
})

it('[H23 control] a host, a missing hash and a foreign install script are found', () => {
  const entry = { version: '1.0.0', resolved: 'https://registry.example/a.tgz', hasInstallScript: true }
  expect(lockFileFindings({ packages: { 'node_modules/a': entry } }, ['node'])).toHaveLength(3)
})

import { expect, it } from 'vitest'
import { crowdedFolders, functionsIn, longFiles, longFunctions } from './rules/size.ts'
import { isCode, readSources } from './sources.ts'

const sources = readSources()

it('[H1] the tidy tests look at the whole repository', () => {
  expect(sources.length).toBeGreaterThan(50)
  for (const place of ['packages/domain/src/', 'packages/ledger/migrations/', 'scripts/', 'spec/', 'tests/tidy/']) {
    expect(sources.filter(({ path }) => path.startsWith(place))).not.toEqual([])
  }
  expect(sources.filter(({ path }) => path.includes('node_modules'))).toEqual([])
})

it('[H2] no file of code is longer than 400 lines', () => {
  expect(sources.some(({ path }) => isCode(path))).toBe(true)
  expect(longFiles(sources)).toEqual([])
})

it('[H2 control] a file of 401 lines is found', () => {
  expect(longFiles([{ path: 'packages/line/lua/admit.lua', text: 'x\n'.repeat(399) }])).toEqual([])
  expect(longFiles([{ path: 'packages/line/lua/admit.lua', text: 'x\n'.repeat(400) }])).toHaveLength(1)
})

it('[H3] no function is longer than 70 lines', () => {
  expect(sources.flatMap(({ text }) => functionsIn(text)).length).toBeGreaterThan(100)
  expect(longFunctions(sources)).toEqual([])
})

it('[H3 control] a function, a method and a function with a wrapped head of 71 lines are found', () => {
  const body = '  x()\n'.repeat(69)
  for (const head of [
    'export async function admit(a: string): void {',
    'function admit({\n  a,\n}: Options): void {',
  ]) {
    expect(longFunctions([{ path: 'packages/line/src/admit.ts', text: `${head}\n${body}}\n` }])).toHaveLength(1)
  }
  const method = `class Line {\n  async admit(a: string) {\n${body.replaceAll('  x', '    x')}  }\n}\n`
  expect(longFunctions([{ path: 'packages/line/src/admit.ts', text: method }])).toHaveLength(1)
  expect(functionsIn(`function admit() {\n${'  x()\n'.repeat(68)}}\n`)).toEqual([{ name: 'admit', lines: 70 }])
  expect(functionsIn(`interface Line {\n  admit(\n    a: string,\n  ): void\n}\n`)).toEqual([])
})

it('[H32] no folder has more than 25 files of its own', () => {
  expect(crowdedFolders(sources)).toEqual([])
})

it('[H32 control] a folder of 26 files is found', () => {
  const files = (count: number, folder: string) =>
    Array.from({ length: count }, (_, at) => ({ path: `${folder}/${at}.ts`, text: '' }))
  for (const folder of ['packages/line/src', 'packages/line/src/memory', 'packages/line/test/gate', 'tests/race']) {
    expect(crowdedFolders(files(25, folder))).toEqual([])
    expect(crowdedFolders([...files(20, folder), ...files(20, `${folder}/deeper`)])).toEqual([])
    expect(crowdedFolders(files(26, folder))).toHaveLength(1)
  }
  expect(crowdedFolders(files(26, 'docs/screens'))).toEqual([])
})

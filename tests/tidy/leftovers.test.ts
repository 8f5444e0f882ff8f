import { expect, it } from 'vitest'
import {
  doubleCasts,
  machinePaths,
  missingHeaders,
  sleepingTests,
  testsNotRun,
  unfinishedWork,
} from './rules/leftovers.ts'
import { isTest, readSources } from './sources.ts'

const sources = readSources()

it('[H14] nothing is marked as unfinished', () => {
  expect(unfinishedWork(sources)).toEqual([])
})

it('[H14 control] a mark is found in code and in papers', () => {
  const mark = ['TO', 'DO'].join('')
  expect(unfinishedWork([{ path: 'packages/line/lua/join.lua', text: `-- ${mark}: later` }])).toHaveLength(1)
  expect(unfinishedWork([{ path: 'README.md', text: `${mark}` }])).toHaveLength(1)
})

it('[H15] no test is switched off or runs alone', () => {
  expect(sources.filter(({ path }) => isTest(path)).length).toBeGreaterThan(10)
  expect(testsNotRun(sources)).toEqual([])
})

it('[H15 control] a test that is switched off is found', () => {
  for (const word of ['only', 'skip', 'skipIf', 'runIf']) {
    const text = ['describe', `.${word}('x', () => {})`].join('')
    expect(testsNotRun([{ path: 'tests/race/a.test.ts', text }])).toHaveLength(1)
  }
})

it('[H16] no path of one machine is written down', () => {
  expect(machinePaths(sources)).toEqual([])
})

it('[H16 control] a path in a home folder is found', () => {
  expect(machinePaths([{ path: 'docs/a.md', text: ['see /ho', 'me/ada/seatwise'].join('') }])).toHaveLength(1)
  expect(machinePaths([{ path: 'docs/a.md', text: 'see /usr/lib/postgresql' }])).toEqual([])
})

it('[H17] no test sleeps to wait', () => {
  expect(sleepingTests(sources)).toEqual([])
})

it('[H17 control] a sleeping test is found', () => {
  const text = ['  await ', 'sleep(100)'].join('')
  expect(sleepingTests([{ path: 'tests/race/a.test.ts', text }])).toHaveLength(1)
})

it('[H18] every statement and script begins with what it does', () => {
  expect(sources.some(({ path }) => path.endsWith('.sql'))).toBe(true)
  expect(missingHeaders(sources)).toEqual([])
})

it('[H18 control] a statement without a header is found', () => {
  expect(missingHeaders([{ path: 'packages/ledger/src/sql/a.sql', text: 'select 1;' }])).toHaveLength(1)
})

it('[H52] no value is cast by way of unknown', () => {
  expect(doubleCasts(sources)).toEqual([])
})

it('[H52 control] such a cast is found', () => {
  const text = ['const seat = body as unk', 'nown as Seat'].join('')
  expect(doubleCasts([{ path: 'packages/line/src/a.ts', text }])).toHaveLength(1)
})

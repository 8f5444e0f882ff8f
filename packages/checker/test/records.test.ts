import { readdirSync, readFileSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import {
  CHECKS,
  checkRecords,
  Findings,
  formatReport,
  type HistoryRecord,
  isSound,
  parseRecord,
  readRecords,
  recordLines,
  VIOLATIONS_KEPT_MAX,
} from '../src/index.ts'
import { admit, hold, join, ledger, roomLog, sell } from './history.ts'

const fault: HistoryRecord = { record: 'fault', monotonicMs: 5, phase: 'point', fault: 'crash', target: 'redis' }
const asked: HistoryRecord = {
  record: 'client',
  client: 'c',
  call: '1',
  phase: 'invoke',
  monotonicMs: 1,
  action: 'join',
}
const gauge: HistoryRecord = { record: 'gauge', monotonicMs: 6, source: 's', gauge: 'queue', value: 3, bound: 9 }
const history: HistoryRecord[] = [
  ...roomLog([join(1), join(2), admit(1), { kind: 'pause', reason: 'lunch' }, { kind: 'resume' }]),
  ...ledger([{ kind: 'total', total: 2 }, hold('a', ['1']), sell('a', ['1'])]),
  asked,
  fault,
  gauge,
]

test('[T17] a history survives being written as JSON lines and read again, however the bytes are cut', async () => {
  const text = (await Array.fromAsync(recordLines(history))).join('')
  for (const size of [1, 7, text.length]) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
      text.slice(index * size, (index + 1) * size),
    )
    expect(await Array.fromAsync(readRecords(Readable.from(pieces)))).toEqual(history)
  }
})

test('[T17] a line that is no record is named with its number and its fault', async () => {
  const read = (line: string) => Array.fromAsync(readRecords(Readable.from(['\n', `${line}\n`])))
  await expect(read('{"record":')).rejects.toThrow('Line 2 is not a record: ')
  await expect(read('7')).rejects.toThrow('A record must be a JSON object')
  await expect(read('{"record":"diary"}')).rejects.toThrow('must be log, ledger, client, fault or gauge, not "diary"')
  await expect(read(JSON.stringify({ ...history[1], kind: 'constructor' }))).rejects.toThrow(
    'no log record of kind "constructor"',
  )
  await expect(read(JSON.stringify({ ...history[1], seq: '2' }))).rejects.toThrow('"seq" must be number, not "2"')
  await expect(read(JSON.stringify({ ...history[1], class: 4 }))).rejects.toThrow(
    '"class" must be one of 0, 1, 2, 3, not 4',
  )
  await expect(read(JSON.stringify({ ...asked, seats: [1] }))).rejects.toThrow('"seats" must be strings')
})

test('[T17] fields that may be missing are checked when they are there', () => {
  expect(parseRecord({ ...asked, epoch: 1, seats: ['A1'] })).toMatchObject({ seats: ['A1'] })
  expect(() => parseRecord({ ...asked, epoch: 'first' })).toThrow('"epoch" must be number')
})

test('[T18] a report has one line for each invariant, with what was counted', async () => {
  const report = await checkRecords(Readable.from(history))
  expect(isSound(report)).toBe(true)
  const lines = formatReport(report).split('\n')
  expect(lines[0]).toBe(`${history.length} records, faults: 1 × crash`)
  expect(lines.slice(1).map((line) => line.split(' ')[0])).toEqual(CHECKS.map(({ id }) => id))
  expect(lines[1]).toBe('I1   held        no seat sold twice (1 seats sold, 0 seats given back)')
  expect(lines.find((line) => line.startsWith('I22'))).toContain(
    'I22  not checked ok(A) before invoke(B) ⇒ seq(A) < seq(B) (no ordered pairs',
  )
})

test('[T18] a broken rule is shown with its records, and makes the report unsound', async () => {
  const sales = ledger([sell('a', ['1']), sell('b', ['1'])])
  const report = await checkRecords(sales)
  expect(isSound(report)).toBe(false)
  const text = formatReport(report)
  expect(text).toContain('I1   violated    no seat sold twice (1 violations, 2 seats sold')
  for (const sale of sales) expect(text).toContain(JSON.stringify(sale))
})

test('[T18] endless violations are counted and not all kept', () => {
  const findings = new Findings('things')
  for (let index = 0; index < 2 * VIOLATIONS_KEPT_MAX; index += 1) findings.violate('again', fault)
  const verdict = findings.verdict('things')
  expect(verdict).toMatchObject({ status: 'violated', violationCount: 2 * VIOLATIONS_KEPT_MAX })
  if (verdict.status === 'violated') expect(verdict.violations).toHaveLength(VIOLATIONS_KEPT_MAX)
})

test('[T19] the checker imports nothing of the product', () => {
  const folder = joinPath(import.meta.dirname, '../src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(10)
  const imports = files.flatMap((file) =>
    [...readFileSync(joinPath(folder, file), 'utf8').matchAll(/from '([^']+)'/g)].map((match) => match[1] ?? ''),
  )
  expect(
    imports.filter((from) => !from.startsWith('./') && !from.startsWith('../') && !from.startsWith('node:')),
  ).toEqual([])
})

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { onlyTheHolder } from '../src/checks/seats/only-the-holder.ts'
import { soldAtMostTotal } from '../src/checks/seats/sold-at-most-total.ts'
import { CHECKS, checkRecords, formatReport } from '../src/index.ts'
import { hold, ledger, outcome, sell } from './history.ts'

const FOLDER = new URL('checks/', import.meta.url)

describe('every check', () => {
  test('[V18] reports of an empty history that it checked nothing', async () => {
    const report = await checkRecords([])
    expect(report.invariants).toHaveLength(CHECKS.length)
    for (const { id, verdict } of report.invariants) expect([id, verdict.status]).toEqual([id, 'vacuous'])
    const lines = formatReport(report).split('\n').slice(1)
    expect(lines.filter((line) => !/^I\d+ +not checked /.test(line))).toEqual([])
  })

  test('[V18] is shown to fail: a test violates it', () => {
    const names = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts'))
    const texts = names.map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))
    const unproved = CHECKS.filter(
      ({ id }) => !texts.some((text) => new RegExp(`test\\('\\[${id}\\][^\n]*violated`).test(text)),
    )
    expect(texts.length).toBeGreaterThan(5)
    expect(unproved.map(({ id, name }) => `${id} ${name}`)).toEqual([])
  })

  test('[V18] sales that no total is known for prove nothing about the total', () => {
    expect(outcome(soldAtMostTotal, ledger([hold('a', ['A1']), sell('a', ['A1'])]))).toBe('vacuous')
  })

  test('[V18] holds that nothing is compared with prove nothing about their holder', () => {
    expect(outcome(onlyTheHolder, ledger([hold('a', ['A1'])]))).toBe('vacuous')
  })
})

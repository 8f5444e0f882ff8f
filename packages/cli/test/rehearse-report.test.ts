import { describe, expect, it } from 'vitest'
import { chart } from '../src/report/chart.ts'
import { compareReports, formatComparison } from '../src/report/compare.ts'
import { judge } from '../src/report/judge.ts'
import { rehearsalPage } from '../src/report/rehearsal-page.ts'
import type { RehearsalReport } from '../src/report/rehearsal-report.ts'

const FIGURES = { count: 10, mean: 5, p50: 4, p90: 8, p99: 9, max: 10, perSecond: 100 }
const POINT = {
  ...{ second: 0, arrivals: 1, joins: 1, admissions: 1, sold: 1, good: 4, failed: 0, p50: 1, p99: 2 },
  ...{ waiting: 1, active: 1, remainingSeats: 1, serverBytes: 2 ** 26, driverBytes: 2 ** 25 },
}

function reportWith(changes: Partial<RehearsalReport> = {}): RehearsalReport {
  const { join, poll, enter, reserve, pay, leave, ask } = {
    ...{ join: FIGURES, poll: FIGURES, enter: FIGURES, reserve: FIGURES, pay: FIGURES, leave: FIGURES, ask: FIGURES },
  }
  return {
    ...{
      version: 1,
      eventId: 'e',
      eventName: 'Aurora <Live>',
      url: 'http://127.0.0.1',
      startedAt: '2026-11-15T10:00:00Z',
    },
    ...{ tookMs: 1_000, isComplete: true, seed: 1, visitors: 10, arrived: 10, seats: 5, sold: 5, oversold: 0 },
    ...{ violations: 0, breaches: [], judgement: { go: true, reasons: [], remarks: [] } },
    rush: { atOnce: FIGURES, askedAgainShare: 0, inLineMaxMs: 10 },
    ...{ joins: { ...FIGURES, peakPerSecond: 120 }, actions: { join, poll, enter, reserve, pay, leave, ask } },
    ...{
      eta: {
        ...{ medianError: 0.05, judged: 9, knownShare: 0.9, withinP90: 0.9 },
        plainErrors: { service: 0.4, throughput: 0.3 },
      },
      outcomes: { bought: 5, sold_out: 5 },
      refusals: {},
    },
    ...{ waited: FIGURES, goodput: { perSecond: 40, failedShare: 0 } },
    ...{ memory: { serverBytesMax: 2 ** 26, driverBytesMax: null }, invariants: [], verifiedFrom: 'ledger' },
    ...{
      fairness: null,
      estimates: null,
      settings: { capacity: 3 },
      series: [POINT, { ...POINT, second: 1, waiting: null }],
    },
    crowd: { churn: 0, slowPayers: 0, tabs: 0, bots: 0, thinkMs: 0, patienceMs: 0 },
    ...changes,
  }
}

describe('the judgement', () => {
  it('[V8] is go when nothing stands against it', () => {
    expect(judge(reportWith())).toEqual({ go: true, reasons: [], remarks: [] })
  })

  it.each<[string, Partial<RehearsalReport>]>([
    ['seats were sold that do not exist', { oversold: 1 }],
    ['a rule was broken', { violations: 2 }],
    ['Joining took', { joins: { ...FIGURES, p99: 3_000, peakPerSecond: 1 } }],
    ['never got an answer or lost their place', { outcomes: { unanswered: 1 } }],
    ['seats were left', { sold: 4, outcomes: { sold_out: 1 } }],
  ])('[V8] is no-go when %s', (sentence, changes) => {
    const { go, reasons } = judge(reportWith(changes))
    expect(go).toBe(false)
    expect(reasons).toEqual([expect.stringContaining(sentence)])
  })

  it('[V8] remarks what was not proved', () => {
    const { go, remarks } = judge(reportWith({ invariants: null, verifiedFrom: null, isComplete: false }))
    expect(go).toBe(true)
    expect(remarks).toHaveLength(2)
  })
})

describe('the page', () => {
  it('[V2] escapes what comes from outside, and links to nothing', () => {
    const html = rehearsalPage(reportWith(), null)
    expect(html).toContain('Aurora &lt;Live&gt;')
    expect(html).not.toMatch(/https?:\/\//)
    expect(html).not.toContain('<script')
  })

  it('[V2] draws gaps as gaps, and nothing as nothing', () => {
    const svg = chart({ title: 'x', curves: [{ name: 'a', values: [1, null, 3] }], show: String })
    expect(svg).toMatch(/d="M[\d.]+ [\d.]+M[\d.]+ [\d.]+"/)
    expect(chart({ title: 'x', curves: [{ name: 'a', values: [] }], show: String })).not.toContain('NaN')
  })
})

describe('comparing', () => {
  it('[V9] says what became better and worse, and leaves small changes alone', () => {
    const slower = reportWith({ joins: { ...FIGURES, p99: 90, p50: 4.1, peakPerSecond: 1 }, oversold: 1 })
    const compared = compareReports(reportWith(), slower)
    const meaning = (what: string) => compared.find((figure) => figure.what === what)?.meaning
    expect(meaning('join, p99')).toBe('worse')
    expect(meaning('oversold')).toBe('worse')
    expect(meaning('join, p50')).toBe('same')
    expect(compareReports(slower, reportWith()).find(({ what }) => what === 'join, p99')?.meaning).toBe('better')
    expect(formatComparison(compared)).toContain('× 10.00')
  })
})

import { count, duration, megabytes, percent } from './format.ts'
import type { RehearsalReport } from './rehearsal-report.ts'

/** One figure of two rehearsals, side by side. */
export interface ComparedFigure {
  readonly what: string
  readonly before: string
  readonly after: string
  /** After ÷ before; null where that says nothing. */
  readonly ratio: number | null
  /** What the change means, if it is large enough to mean anything. */
  readonly meaning: 'better' | 'worse' | 'same'
}

/** Smaller changes than this happen between two runs of the same thing. */
const NOTEWORTHY = 0.1

interface Figure {
  readonly what: string
  readonly of: (report: RehearsalReport) => number | null
  readonly show: (value: number | null) => string
  readonly isMoreBetter: boolean
}

const FIGURES: readonly Figure[] = [
  { what: 'seats sold', of: ({ sold }) => sold, show: count, isMoreBetter: true },
  { what: 'oversold', of: ({ oversold }) => oversold, show: count, isMoreBetter: false },
  { what: 'rules broken', of: ({ violations }) => violations, show: count, isMoreBetter: false },
  { what: 'joins a second', of: ({ joins }) => joins.perSecond, show: count, isMoreBetter: true },
  { what: 'join, p50', of: ({ joins }) => joins.p50, show: duration, isMoreBetter: false },
  { what: 'join, p99', of: ({ joins }) => joins.p99, show: duration, isMoreBetter: false },
  { what: 'poll, p99', of: ({ actions }) => actions.poll.p99, show: duration, isMoreBetter: false },
  { what: 'reserve, p99', of: ({ actions }) => actions.reserve.p99, show: duration, isMoreBetter: false },
  { what: 'pay, p99', of: ({ actions }) => actions.pay.p99, show: duration, isMoreBetter: false },
  { what: 'waiting, p50', of: ({ waited }) => waited.p50, show: duration, isMoreBetter: false },
  { what: 'error of estimates', of: ({ eta }) => eta.medianError, show: percent, isMoreBetter: false },
  { what: 'requests failed', of: ({ goodput }) => goodput.failedShare, show: percent, isMoreBetter: false },
  { what: 'memory of the server', of: ({ memory }) => memory.serverBytesMax, show: megabytes, isMoreBetter: false },
  { what: 'took', of: ({ tookMs }) => tookMs, show: duration, isMoreBetter: false },
]

export function compareReports(before: RehearsalReport, after: RehearsalReport): ComparedFigure[] {
  return FIGURES.map(({ what, of, show, isMoreBetter }) => {
    const [was, is] = [of(before), of(after)]
    const ratio = was === null || is === null || was === 0 ? null : is / was
    const change = was === null || is === null ? 0 : ratio === null ? is - was : ratio - 1
    const isSame = Math.abs(change) < (ratio === null ? Number.MIN_VALUE : NOTEWORTHY)
    const meaning = isSame ? 'same' : change > 0 === isMoreBetter ? 'better' : 'worse'
    return { what, before: show(was), after: show(is), ratio, meaning }
  })
}

export function formatComparison(figures: readonly ComparedFigure[]): string {
  const lines = figures.map(({ what, before, after, ratio, meaning }) => {
    const factor = ratio === null ? '' : `× ${ratio.toFixed(2)}`
    return `${what.padEnd(22)} ${before.padStart(12)} ${after.padStart(12)}  ${factor.padEnd(8)} ${meaning === 'same' ? '' : meaning}`
  })
  return [`${''.padEnd(22)} ${'before'.padStart(12)} ${'now'.padStart(12)}`, ...lines, ''].join('\n')
}

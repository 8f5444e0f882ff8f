import type { CheckedInvariant, Fairness } from '@seatwise/checker'
import type { EstimateFigures } from '@seatwise/domain'
import type { Histogram } from '../rehearse/measure/histogram.ts'
import { ACTIONS, type Action, type Measurements, type Second } from '../rehearse/measure/measurements.ts'
import type { RehearseOptions } from '../rehearse/options.ts'
import type { Sale } from '../rehearse/sale/sale.ts'
import type { VerifiedSale } from '../verify/verify-sale.ts'
import { type Judgement, judge } from './judge.ts'

/** What a rehearsal found. Written as report.json; times are in milliseconds, shares from 0 to 1. */
export interface RehearsalReport {
  readonly version: 1
  readonly eventId: string
  readonly eventName: string
  readonly url: string
  readonly startedAt: string
  readonly tookMs: number
  readonly isComplete: boolean
  readonly seed: number
  readonly visitors: number
  readonly arrived: number
  readonly seats: number
  readonly sold: number
  readonly oversold: number
  /** Violations of invariants, and answers that no visitor may ever get. */
  readonly violations: number
  readonly breaches: readonly string[]
  readonly judgement: Judgement
  readonly joins: ActionFigures & { readonly peakPerSecond: number }
  readonly rush: RushFigures
  readonly actions: Readonly<Record<Action, ActionFigures>>
  readonly eta: {
    readonly medianError: number | null
    readonly judged: number
    readonly knownShare: number | null
    readonly withinP90: number | null
    /** What two plain formulas would have been off by at the same instants. */
    readonly plainErrors: { readonly service: number | null; readonly throughput: number | null }
  }
  readonly outcomes: Readonly<Record<string, number>>
  readonly refusals: Readonly<Record<string, number>>
  readonly waited: Percentiles
  readonly goodput: { readonly perSecond: number; readonly failedShare: number }
  readonly memory: { readonly serverBytesMax: number | null; readonly driverBytesMax: number | null }
  /** Null where neither the ledger nor the public log could be read. */
  readonly invariants: readonly CheckedInvariant[] | null
  readonly verifiedFrom: string | null
  readonly fairness: Fairness | null
  /** The estimates at joining, as `seatwise verify` and the console judge every sale. */
  readonly estimates: EstimateFigures | null
  readonly crowd: RehearseOptions['crowd']
  readonly settings: Sale['settings']
  readonly series: readonly SeriesPoint[]
}

export interface Percentiles {
  readonly count: number
  readonly mean: number | null
  readonly p50: number | null
  readonly p90: number | null
  readonly p99: number | null
  readonly max: number | null
}

export interface ActionFigures extends Percentiles {
  /** From the first to the last good answer. */
  readonly perSecond: number | null
}

/** How arriving visitors got into the line; times are from arriving, whatever the server or the driver was busy with. */
export interface RushFigures {
  readonly atOnce: Percentiles
  /** The share of visitors who were asked to come again, or got no answer, at their first attempt. */
  readonly askedAgainShare: number
  /** When the last visitor was in line, counted from that visitor's arrival; null if none is in line. */
  readonly inLineMaxMs: number | null
}

export interface SeriesPoint {
  readonly second: number
  readonly arrivals: number
  readonly joins: number
  readonly admissions: number
  readonly sold: number
  readonly good: number
  readonly failed: number
  readonly p50: number | null
  readonly p99: number | null
  readonly waiting: number | null
  readonly active: number | null
  readonly remainingSeats: number | null
  readonly serverBytes: number | null
  readonly driverBytes: number | null
}

export interface ReportParts {
  readonly options: RehearseOptions
  readonly sale: Sale
  readonly url: URL
  readonly measurements: Measurements
  readonly tookMs: number
  readonly isComplete: boolean
  readonly verified: VerifiedRehearsal | null
}

/** What could be verified, and from what. */
export interface VerifiedRehearsal extends Pick<VerifiedSale, 'report' | 'fairness' | 'estimates'> {
  /** Null where only the public log could be read. */
  readonly seats: VerifiedSale['seats'] | null
  readonly from: string
}

export function buildReport(parts: ReportParts): RehearsalReport {
  const { options, sale, measurements, tookMs, verified } = parts
  const { outcomes, refusals, seconds, breaches, waited } = measurements
  const sold = verified?.seats?.sold ?? measurements.seatsBought
  const invariants = verified === null ? null : judgedInvariants(verified.report.invariants, parts.isComplete)
  const broken = (invariants ?? []).reduce(
    (sum, { verdict }) => sum + (verdict.status === 'violated' ? verdict.violationCount : 0),
    0,
  )
  const estimates = verified?.fairness?.estimates
  const facts = {
    ...{ eventId: sale.eventId, eventName: sale.name, url: parts.url.origin },
    ...{ startedAt: measurements.startedAt.toISOString(), tookMs, isComplete: parts.isComplete, seed: options.seed },
    ...{ visitors: options.visitors, arrived: measurements.arrived, seats: sale.seats, sold },
    oversold: Math.max(0, sold - sale.seats, measurements.seatsBought - sale.seats),
    ...{ violations: broken + breaches.length, breaches },
    joins: { ...joinFigures(measurements), peakPerSecond: largest(seconds, 'joins') ?? 0 },
    rush: rushFigures(measurements),
    actions: actionFigures(measurements, tookMs),
    eta: {
      medianError: estimates?.medianError ?? null,
      judged: estimates?.judged ?? 0,
      knownShare: estimates?.knownShare ?? null,
      withinP90: estimates?.withinP90 ?? null,
      plainErrors: estimates?.plainErrors ?? { service: null, throughput: null },
    },
    ...{ outcomes: Object.fromEntries(outcomes), refusals: Object.fromEntries(refusals), waited: percentiles(waited) },
    goodput: goodputOf(seconds, tookMs),
    memory: { serverBytesMax: largest(seconds, 'serverBytes'), driverBytesMax: largest(seconds, 'driverBytes') },
    ...{ invariants, verifiedFrom: verified?.from ?? null },
    ...{ fairness: verified?.fairness ?? null, estimates: verified?.estimates ?? null },
    ...{ crowd: options.crowd, settings: sale.settings },
    series: seconds.map(pointOf),
  } as const
  return { version: 1, ...facts, judgement: judge(facts) }
}

/** A visitor who is stopped in the middle of a retry cannot learn the outcome of the call: that proves nothing. */
function judgedInvariants(invariants: readonly CheckedInvariant[], isComplete: boolean): readonly CheckedInvariant[] {
  if (isComplete) return invariants
  return invariants.map((each) => {
    if (each.id !== 'I12' || each.verdict.status !== 'violated') return each
    const verdict = { status: 'vacuous', missing: 'time to ask', counts: each.verdict.counts } as const
    return { ...each, verdict }
  })
}

function joinFigures({ latency, firstJoinAtMs, lastJoinAtMs }: Measurements): ActionFigures {
  const spanMs = firstJoinAtMs === null || lastJoinAtMs === null ? 0 : lastJoinAtMs - firstJoinAtMs
  return { ...percentiles(latency.join), perSecond: spanMs === 0 ? null : (latency.join.count * 1_000) / spanMs }
}

export function rushFigures({ inLineAtOnce, inLineLater, askedAgain, arrived }: Measurements): RushFigures {
  const isEmpty = inLineAtOnce.count + inLineLater.count === 0
  return {
    atOnce: percentiles(inLineAtOnce),
    askedAgainShare: askedAgain / Math.max(1, arrived),
    inLineMaxMs: isEmpty ? null : rounded(Math.max(inLineAtOnce.max, inLineLater.max)),
  }
}

function actionFigures(measurements: Measurements, tookMs: number): Record<Action, ActionFigures> {
  const figures = (action: Action): ActionFigures => {
    const histogram = measurements.latency[action]
    return { ...percentiles(histogram), perSecond: (histogram.count * 1_000) / Math.max(1, tookMs) }
  }
  // Every action has an entry, because they are made from the list of all.
  const all = Object.fromEntries(ACTIONS.map((action) => [action, figures(action)])) as Record<Action, ActionFigures>
  return { ...all, join: joinFigures(measurements) }
}

function percentiles(histogram: Histogram): Percentiles {
  const p = (share: number): number | null => rounded(histogram.percentile(share))
  const max = histogram.count === 0 ? null : rounded(histogram.max)
  return { count: histogram.count, mean: rounded(histogram.mean()), p50: p(0.5), p90: p(0.9), p99: p(0.99), max }
}

function goodputOf(seconds: readonly Second[], tookMs: number): RehearsalReport['goodput'] {
  const good = seconds.reduce((sum, second) => sum + second.good, 0)
  const failed = seconds.reduce((sum, second) => sum + second.failed, 0)
  return { perSecond: (good * 1_000) / Math.max(1, tookMs), failedShare: failed / Math.max(1, good + failed) }
}

function pointOf({ latency, ...counts }: Second, second: number): SeriesPoint {
  return { second, ...counts, p50: rounded(latency.percentile(0.5)), p99: rounded(latency.percentile(0.99)) }
}

function largest(seconds: readonly Second[], field: 'serverBytes' | 'driverBytes' | 'joins'): number | null {
  const values = seconds.flatMap((second) => second[field] ?? [])
  return values.length === 0 ? null : values.reduce((most, value) => Math.max(most, value), 0)
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 100) / 100
}

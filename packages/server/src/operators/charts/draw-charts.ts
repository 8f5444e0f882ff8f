import type { EstimateFigures } from '@seatwise/domain'
import type { SeatFlow } from '@seatwise/ledger'
import type { WatchedSale } from './open-charts.ts'
import type { ChartPoint } from './room-chart.ts'

/** Columns of equal length, as a chart needs them: one entry for each point, times in whole seconds. */
export interface DrawnCharts {
  readonly stepSeconds: number
  readonly at: number[]
  readonly waiting: number[]
  readonly floor: number[]
  readonly admissionsPerSecond: number[]
  readonly arrivalsPerSecond: number[]
  readonly held: number[]
  readonly sold: number[]
  /** A share: 0.1 is ten per cent off; null for a step that admitted no visitor who had waited. */
  readonly estimateError: (number | null)[]
  readonly noShows: number[]
  /** Of the whole sale so far. */
  readonly estimates: EstimateFigures
}

export function drawCharts({ chart, errors, seatFlows }: WatchedSale, stepMs: number, sinceMs: number): DrawnCharts {
  const points = chart.points(stepMs, sinceMs)
  const seats = seatsAt(seatFlows, points, stepMs)
  const perSecond = (count: number): number => Math.round((count / stepMs) * 1_000 * 100) / 100
  return {
    stepSeconds: stepMs / 1_000,
    at: points.map(({ at }) => at / 1_000),
    waiting: points.map(({ waiting }) => waiting),
    floor: points.map(({ floor }) => floor),
    admissionsPerSecond: points.map(({ admitted }) => perSecond(admitted)),
    arrivalsPerSecond: points.map(({ arrived }) => perSecond(arrived)),
    held: seats.map(({ held }) => held),
    sold: seats.map(({ sold }) => sold),
    estimateError: points.map(({ at }) => rounded(errors.at(stepMs, at))),
    noShows: points.map(({ noShows }) => noShows),
    estimates: errors.figures(),
  }
}

function rounded(share: number | null): number | null {
  return share === null ? null : Math.round(share * 1_000) / 1_000
}

/** How many seats were held and sold at the end of each step. Both lists are ordered by time. */
function seatsAt(
  flows: readonly SeatFlow[],
  points: readonly ChartPoint[],
  stepMs: number,
): { held: number; sold: number }[] {
  let next = 0
  let held = 0
  let sold = 0
  return points.map(({ at }) => {
    for (let flow = flows[next]; flow !== undefined && flow.at < at + stepMs; flow = flows[++next]) {
      held += flow.held
      sold += flow.sold
    }
    return { held, sold }
  })
}

/** Seats sold a minute, over the last five minutes. */
export function soldPerMinute(flows: readonly SeatFlow[], nowMs: number): number {
  const recent = flows.filter(({ at }) => at >= nowMs - MEASURED_MS)
  return (
    (Math.max(
      0,
      recent.reduce((sum, { sold }) => sum + sold, 0),
    ) /
      MEASURED_MS) *
    60_000
  )
}

const MEASURED_MS = 300_000

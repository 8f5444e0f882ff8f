import { type Signal, signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { Drawn } from '../kit/answers.ts'
import { formatClock, formatCount, formatHour, formatRate, formatShare } from '../kit/format.ts'
import { tell, words } from '../kit/page.ts'
import { changedAt, charts, type Range, range, refreshCharts } from './sale-state.ts'

interface Line {
  readonly name: string
  readonly values: (drawn: Drawn) => (number | null)[]
  readonly format: (value: number) => string
  /** Its colour among the tokens; the second line of a chart is dashed as well. */
  readonly token: string
}

interface Panel {
  readonly name: string
  readonly lines: readonly [Line, Line]
}

const PANELS: readonly Panel[] = [
  {
    name: words.charts.line,
    lines: [
      { name: words.charts.waiting, values: ({ waiting }) => waiting, format: formatCount, token: '--accent' },
      { name: words.charts.floor, values: ({ floor }) => floor, format: formatCount, token: '--good' },
    ],
  },
  {
    name: words.charts.flow,
    lines: [
      {
        name: words.charts.admissions,
        values: (drawn) => drawn.admissionsPerSecond,
        format: formatRate,
        token: '--good',
      },
      {
        name: words.charts.arrivals,
        values: (drawn) => drawn.arrivalsPerSecond,
        format: formatRate,
        token: '--accent',
      },
    ],
  },
  {
    name: words.charts.seats,
    lines: [
      { name: words.charts.sold, values: ({ sold }) => sold, format: formatCount, token: '--accent' },
      { name: words.charts.held, values: ({ held }) => held, format: formatCount, token: '--good' },
    ],
  },
  {
    name: words.charts.quality,
    lines: [
      { name: words.charts.error, values: (drawn) => drawn.estimateError, format: formatShare, token: '--accent' },
      { name: words.charts.noShows, values: ({ noShows }) => noShows, format: formatCount, token: '--good' },
    ],
  },
]

const RANGES: readonly { seconds: Range; name: string }[] = [
  { seconds: 600, name: words.charts.minutes10 },
  { seconds: 3_600, name: words.charts.hour },
  { seconds: 86_400, name: words.charts.day },
]

/** Which point the cursor is at, in all charts at once; null: there is no cursor, and the last values are shown. */
const pointed: Signal<number | null> = signal(null)

/** One key for all: a cursor that moves in one chart moves in the others. */
const SYNC = uPlot.sync('sale').key
const HEIGHT = 150

/** Four charts under one time axis. */
export function ChartPanel({ hasSeats }: { hasSeats: boolean }): VNode {
  const drawn = shown(charts.value, range.value)
  const panels = PANELS.filter(({ name }) => hasSeats || name !== words.charts.seats)
  const choose = (seconds: Range): void => {
    range.value = seconds
    refreshCharts().catch(() => undefined)
  }
  return (
    <section class="charts">
      <div class="charts-head">
        <h2>{words.charts.title}</h2>
        <p class="quiet number">{pointedTime(drawn)}</p>
        <fieldset class="choices">
          <legend class="heard">{words.charts.range}</legend>
          {RANGES.map(({ seconds, name }) => (
            <label key={seconds}>
              <input type="radio" name="range" checked={range.value === seconds} onChange={() => choose(seconds)} />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
      </div>
      {changedAt.value.length > 0 && <p class="hint">{words.charts.changes}</p>}
      <div class="chart-grid">
        {panels.map((panel) => (
          <Chart key={panel.name} panel={panel} drawn={drawn} />
        ))}
      </div>
      {drawn !== null && <p class="hint">{sayEstimates(drawn.estimates)}</p>}
    </section>
  )
}

/** How good the estimates of the whole sale were: the same figures as `seatwise verify` prints. */
function sayEstimates({ judged, knownShare, medianError, withinP90 }: Drawn['estimates']): string {
  if (knownShare === null || medianError === null || withinP90 === null) return words.charts.notJudged
  const shares = { known: formatShare(knownShare), error: formatShare(medianError), within: formatShare(withinP90) }
  return tell(words.charts.judged, { count: judged, ...shares })
}

function pointedTime(drawn: Drawn | null): string {
  const at = pointed.value === null ? undefined : drawn?.at[pointed.value]
  return at === undefined ? '' : formatClock(new Date(at * 1_000))
}

function shown(drawn: Drawn | null, seconds: Range): Drawn | null {
  if (drawn === null) return null
  const from = (drawn.at.at(-1) ?? 0) - seconds
  const first = Math.max(
    0,
    drawn.at.findIndex((at) => at >= from),
  )
  const cut = Object.entries(drawn).map(([name, value]) => [name, Array.isArray(value) ? value.slice(first) : value])
  return Object.fromEntries(cut) as Drawn
}

function Chart({ panel, drawn }: { panel: Panel; drawn: Drawn | null }): VNode {
  const holder = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  useEffect(() => {
    const element = holder.current
    if (element === null) return undefined
    const made = new uPlot(optionsFor(panel, element), [[], [], []], element)
    plot.current = made
    const fit = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }))
    fit.observe(element)
    const repaint = (): void => made.redraw(false)
    const darkness = matchMedia('(prefers-color-scheme: dark)')
    darkness.addEventListener('change', repaint)
    return () => {
      fit.disconnect()
      darkness.removeEventListener('change', repaint)
      made.destroy()
    }
  }, [panel])
  useEffect(() => {
    if (drawn !== null)
      plot.current?.setData([drawn.at, ...panel.lines.map(({ values }) => values(drawn))] as uPlot.AlignedData)
  }, [drawn, panel])
  const last = panel.lines.map((line) => ({ line, value: drawn === null ? null : shownValue(line.values(drawn)) }))
  const summary = last.map(({ line, value }) => sayValue(line, value)).join('; ')
  return (
    <figure class="chart">
      <figcaption>
        <span class="label">{panel.name}</span>
        <ul class="legend number">
          {last.map(({ line, value }, index) => (
            <li key={line.name} class={index === 0 ? 'solid' : 'dashed'} data-token={line.token}>
              {sayValue(line, value)}
            </li>
          ))}
        </ul>
      </figcaption>
      <div ref={holder} role="img" aria-label={`${panel.name}. ${summary}`} />
    </figure>
  )
}

const sayValue = ({ name, format }: Line, value: number | null): string =>
  tell(words.charts.now, { name, value: value === null ? '–' : format(value) })

function shownValue(values: readonly (number | null)[]): number | null {
  const at = pointed.value
  if (at !== null && at < values.length) return values[at] ?? null
  return values.findLast((value) => value !== null) ?? null
}

/** A dotted line where the room was changed: what happened after it may have happened because of it. */
function markChanges(plot: uPlot): void {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.strokeStyle = getComputedStyle(plot.root).getPropertyValue('--ink')
  ctx.setLineDash([2, 4])
  for (const at of changedAt.value) {
    const x = Math.round(plot.valToPos(at, 'x', true))
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
  }
  ctx.restore()
}

/** A chart that does not begin at zero exaggerates. */
const fromZero = (_plot: uPlot, _min: number, max: number): uPlot.Range.MinMax => [0, Math.max(1, max * 1.1)]

function optionsFor(panel: Panel, element: HTMLElement): uPlot.Options {
  const token = (name: string): string => getComputedStyle(element).getPropertyValue(name).trim()
  const axis: uPlot.Axis = {
    stroke: () => token('--quiet'),
    grid: { stroke: () => token('--rule'), width: 1 },
    ticks: { show: false },
    font: '12px ui-sans-serif, system-ui, sans-serif',
  }
  return {
    width: Math.max(200, element.clientWidth),
    height: HEIGHT,
    legend: { show: false },
    hooks: {
      draw: [markChanges],
      setCursor: [
        (plot) => {
          pointed.value = plot.cursor.idx ?? null
        },
      ],
    },
    cursor: { sync: { key: SYNC }, points: { size: 6 }, drag: { x: false, y: false } },
    scales: {
      x: { range: (_plot, _min, max) => (Number.isFinite(max) ? [max - range.value, max] : [0, 1]) },
      y: { range: fromZero },
      second: { range: fromZero },
    },
    axes: [
      { ...axis, space: 90, values: (_plot, splits) => splits.map((at) => formatHour(at * 1_000)) },
      { ...axis, size: 48, values: (_plot, splits) => splits.map((value) => panel.lines[0].format(value)) },
    ],
    series: [
      { value: (_plot, at) => (at === null ? '' : formatClock(new Date(at * 1_000))) },
      ...panel.lines.map((line, index) => ({
        label: line.name,
        scale: line.format === panel.lines[0].format ? 'y' : 'second',
        stroke: () => token(line.token),
        width: 2,
        spanGaps: true,
        points: { show: false },
        ...(index === 0 ? {} : { dash: [5, 4] }),
      })),
    ],
  }
}

import { escapeHtml } from './escape-html.ts'

/** One curve: as many values as there are seconds; null is a gap. */
export interface Curve {
  readonly name: string
  readonly values: readonly (number | null)[]
}

export interface ChartOptions {
  readonly title: string
  readonly curves: readonly Curve[]
  readonly show: (value: number) => string
  /** A line that is not to be crossed. */
  readonly limit?: number
}

const WIDTH = 640
const HEIGHT = 220
const LEFT = 64
const RIGHT = 12
const TOP = 12
const BOTTOM = 24
/** More points than pixels show nothing: seconds are then drawn together, by their largest. */
const POINTS_MAX = 320
const STEPS = 4

/** A chart as SVG, drawn beforehand: the page needs no script and no other file. */
export function chart({ title, curves, show, limit }: ChartOptions): string {
  const length = Math.max(2, ...curves.map(({ values }) => values.length))
  const largest = curves.reduce((most, { values }) => Math.max(most, largestOf(values)), limit ?? 0)
  const top = niceTop(largest)
  const x = (second: number): number => LEFT + (second / (length - 1)) * (WIDTH - LEFT - RIGHT)
  const y = (value: number): number => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM)
  const lines = curves.map(({ values }, index) => `<path class="curve curve-${index}" d="${pathOf(values, x, y)}"/>`)
  const limitLine = limit === undefined ? '' : `<path class="limit" d="M${LEFT} ${y(limit)}H${WIDTH - RIGHT}"/>`
  return [
    `<figure><figcaption>${escapeHtml(title)}${legend(curves)}</figcaption>`,
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(describe(title, curves, show))}">`,
    ...grid(top, y, show),
    ...seconds(length, x),
    limitLine,
    ...lines,
    '</svg></figure>',
  ].join('')
}

function pathOf(
  values: readonly (number | null)[],
  x: (second: number) => number,
  y: (value: number) => number,
): string {
  const width = Math.max(1, Math.ceil(values.length / POINTS_MAX))
  let path = ''
  let isDrawing = false
  for (let start = 0; start < values.length; start += width) {
    const known = values.slice(start, start + width).filter((value) => value !== null)
    if (known.length === 0) {
      isDrawing = false
      continue
    }
    path += `${isDrawing ? 'L' : 'M'}${x(start).toFixed(1)} ${y(Math.max(...known)).toFixed(1)}`
    isDrawing = true
  }
  return path
}

function grid(top: number, y: (value: number) => number, show: (value: number) => string): string[] {
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const value = (top * step) / STEPS
    const line = `<path class="grid" d="M${LEFT} ${y(value).toFixed(1)}H${WIDTH - RIGHT}"/>`
    return `${line}<text class="scale" x="${LEFT - 6}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${escapeHtml(show(value))}</text>`
  })
}

function seconds(length: number, x: (second: number) => number): string[] {
  const step = niceTop((length - 1) / 6)
  return Array.from({ length: Math.floor((length - 1) / step) + 1 }, (_, index) => {
    const second = index * step
    return `<text class="scale" x="${x(second).toFixed(1)}" y="${HEIGHT - 6}" text-anchor="middle">${second} s</text>`
  })
}

function legend(curves: readonly Curve[]): string {
  if (curves.length < 2) return ''
  return curves.map(({ name }, index) => ` <span class="key key-${index}">${escapeHtml(name)}</span>`).join('')
}

/** For those who hear the page. */
function describe(title: string, curves: readonly Curve[], show: (value: number) => string): string {
  const ranges = curves.map(({ name, values }) => {
    const known = values.filter((value) => value !== null)
    return known.length === 0 ? `${name}: nothing` : `${name}: at most ${show(largestOf(known))}`
  })
  return `${title}. ${ranges.join('; ')}`
}

function largestOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0)
}

/** The next of 1, 2, 5, 10, 20, … that is not smaller. */
function niceTop(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const factor = [1, 2, 5, 10].find((each) => each * power >= value) ?? 10
  return Math.max(factor * power, value < 1 ? 0 : 1)
}

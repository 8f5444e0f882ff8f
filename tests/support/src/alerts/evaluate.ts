/** What one server answered at `/metrics`; null when it did not answer. */
export interface Scrape {
  readonly atSeconds: number
  readonly text: string | null
}

interface Series {
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
}

/**
 * Whether an expression of our rules holds at the last scrape, as Prometheus defines its functions. It knows what those rules
 * use (a comparison with a number; `sum`, `max`; `rate`, `increase`; matchers; one division) and throws at all else.
 */
export function evaluate(expression: string, scrapes: readonly Scrape[]): boolean {
  const [, left = '', sign = '', right = ''] = /^(.+) (==|>) ([\d.]+)$/.exec(expression) ?? []
  if (left === '') throw new Error(`Not understood: ${expression}`)
  const values = left.split(' / ').map((part) => aggregate(part, scrapes))
  const [first, second] = values
  // No series, no alert: as in Prometheus, also where the divisor is zero.
  if (first === undefined || first === null || values.includes(null)) return false
  const value = second === undefined || second === null ? first : first / second
  return sign === '==' ? value === Number(right) : value > Number(right)
}

function aggregate(part: string, scrapes: readonly Scrape[]): number | null {
  const [, how = 'sum', inner = part] = /^(sum|max)\((.+)\)$/.exec(part) ?? []
  const values = valuesOf(inner, scrapes)
  if (values.length === 0) return null
  return how === 'max' ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0)
}

function valuesOf(inner: string, scrapes: readonly Scrape[]): number[] {
  const [, how, selector = '', minutes = '0'] = /^(rate|increase)\((.+)\[(\d+)m\]\)$/.exec(inner) ?? []
  if (how === undefined) return select(inner, scrapes.at(-1)).map(({ value }) => value)
  const end = scrapes.at(-1)?.atSeconds ?? 0
  const seconds = Number(minutes) * 60
  const window = scrapes.filter(({ atSeconds }) => atSeconds > end - seconds)
  return grown(selector, window).map((growth) => (how === 'rate' ? growth / seconds : growth))
}

/** By how much each counter grew. One that appears within the window counts from there: what it had already is not known. */
function grown(selector: string, window: readonly Scrape[]): number[] {
  const last = new Map<string, number>()
  const growth = new Map<string, number>()
  for (const scrape of window) {
    for (const { labels, value } of select(selector, scrape)) {
      const key = JSON.stringify([...labels].toSorted())
      const before = last.get(key)
      // A smaller value is a counter of a server that started anew.
      if (before !== undefined) growth.set(key, (growth.get(key) ?? 0) + (value < before ? value : value - before))
      last.set(key, value)
    }
  }
  return [...growth.values()]
}

function select(selector: string, scrape: Scrape | undefined): Series[] {
  const [, name = '', matchers = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(selector) ?? []
  if (name === '') throw new Error(`Not understood: ${selector}`)
  const wanted = [...matchers.matchAll(/(\w+)(=|!=)"([^"]*)"/g)]
  // Made by Prometheus itself, for each target.
  if (name === 'up') return [{ labels: new Map(), value: scrape?.text == null ? 0 : 1 }]
  const lines = (scrape?.text ?? '')
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
  return lines
    .map(parseLine)
    .filter(({ labels }) =>
      wanted.every(([, label = '', sign, value]) => ((labels.get(label) ?? '') === value) === (sign === '=')),
    )
}

function parseLine(line: string): Series {
  const [, labels = '', value = ''] = /^\w+(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
  return { labels: new Map(pairs.map(([, name = '', text = '']) => [name, text])), value: Number(value) }
}

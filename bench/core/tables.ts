import { type Spread, spreadTable } from '../support/spread.ts'
import type { Figures } from './figures.ts'
import type { Prepared } from './rounds.ts'

export const CONNECTIONS = [64, 100, 400] as const
/** The bars are on this number of connections. */
export const BAR_CONNECTIONS = 100

interface Shown {
  readonly figure: string
  readonly what: string
  readonly digits?: number
  readonly bar?: number
}

const RATES: readonly Shown[] = [
  { figure: 'joins ÷ bare', what: 'joins ÷ bare', digits: 2, bar: 0.42 },
  { figure: 'joins ÷ kernel', what: 'joins ÷ kernel', digits: 2 },
  { figure: 'joins', what: 'joins/s' },
  { figure: 'bare POST', what: 'bare POST/s' },
  { figure: 'kernel POST', what: 'kernel POST/s' },
  { figure: 'polls ÷ bare', what: 'far polls ÷ bare', digits: 2, bar: 0.75 },
  { figure: 'polls ÷ kernel', what: 'far polls ÷ kernel', digits: 2 },
  { figure: 'polls', what: 'far polls/s' },
  { figure: 'bare GET', what: 'bare GET/s' },
  { figure: 'kernel GET', what: 'kernel GET/s' },
  { figure: 'visits', what: 'whole visits/s', bar: 722 },
  { figure: 'reservations', what: 'reservations/s' },
  { figure: 'losers', what: 'losers refused/s' },
]

const COSTS: readonly Shown[] = [
  { figure: 'join, server', what: 'a join, server, µs', digits: 1 },
  { figure: 'join, redis', what: 'a join, Redis, µs', digits: 1 },
  { figure: 'join, postgres', what: 'a join, PostgreSQL, µs', digits: 1 },
  { figure: 'poll, server', what: 'a far poll, server, µs', digits: 1 },
  { figure: 'poll, redis', what: 'a far poll, Redis, µs', digits: 1 },
  { figure: 'poll, postgres', what: 'a far poll, PostgreSQL, µs', digits: 1 },
  { figure: 'reservation, server', what: 'a reservation, server, µs', digits: 1 },
  { figure: 'reservation, redis', what: 'a reservation, Redis, µs', digits: 1 },
  { figure: 'reservation, postgres', what: 'a reservation, PostgreSQL, µs', digits: 1 },
  { figure: 'visit, server', what: 'a whole visit, server, µs' },
  { figure: 'visit, redis', what: 'a whole visit, Redis, µs' },
  { figure: 'visit, postgres', what: 'a whole visit, PostgreSQL, µs' },
  { figure: 'visit, p50', what: 'a whole visit takes, p50, ms' },
  { figure: 'visit, p99', what: 'a whole visit takes, p99, ms' },
  { figure: 'held', what: 'visitors who wait, for each core' },
]

/** What one request costs is shown for one number of connections. */
function rowsOf(figures: Figures, subject: string): Spread[] {
  return [
    ...RATES.flatMap((shown) => CONNECTIONS.map((count) => rowOf(figures, subject, shown, count))),
    ...COSTS.map((shown) => rowOf(figures, subject, shown, BAR_CONNECTIONS)),
  ].filter(({ values }) => values.length > 0)
}

function rowOf(figures: Figures, subject: string, { figure, what, digits = 0, bar }: Shown, count: number): Spread {
  const row = { what: `${what}, ${count} connections`, values: figures.of(subject, figure, count), digits }
  return bar !== undefined && count === BAR_CONNECTIONS ? { ...row, atLeast: bar } : row
}

/** Round by round, one checkout divided by another. */
export function comparisonOf(figures: Figures, subject: string, other: string): Spread[] {
  return [...RATES, ...COSTS]
    .flatMap((shown) => CONNECTIONS.map((count) => ({ ...shown, count })))
    .map(({ figure, what, count }) => {
      const divisors = figures.of(other, figure, count)
      const values = figures.of(subject, figure, count).map((value, round) => value / (divisors[round] ?? Number.NaN))
      return { what: `${what}, ${count} connections: ${subject} ÷ ${other}`, values, digits: 2 }
    })
    .filter(({ values }) => values.length > 0)
}

/** Bytes of one answer; they do not change from round to round. */
function sizeTable({ samples }: Prepared): string[] {
  const row = (what: string, { head, body }: { head: string; body: string }): string => {
    // The parser leaves out the empty line behind the head.
    const [headBytes, bodyBytes] = [Buffer.byteLength(head, 'latin1') + 2, Buffer.byteLength(body)]
    return `| ${what} | ${headBytes} | ${bodyBytes} | ${(headBytes + bodyBytes).toLocaleString('en')} |`
  }
  return [
    '| answer, bytes | head | body | together |',
    '| --- | --- | --- | --- |',
    row('a join', samples.join),
    row('a far poll', samples.poll),
  ]
}

export function tablesOf(figures: Figures, prepared: Prepared): string[] {
  return [...spreadTable(rowsOf(figures, prepared.subject.name)), '', ...sizeTable(prepared)]
}

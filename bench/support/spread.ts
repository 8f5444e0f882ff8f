import { median } from './statistics.ts'

/** A figure of every round: the table shows the median, the lowest and the highest of all of them. */
export interface Spread {
  readonly what: string
  readonly values: readonly number[]
  readonly digits?: number
  /** What the median must reach. */
  readonly atLeast?: number
}

export function spreadTable(rows: readonly Spread[]): string[] {
  return [
    '| what | median | lowest | highest | bar | met |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => {
      const show = (value: number): string =>
        value.toLocaleString('en', { minimumFractionDigits: row.digits ?? 0, maximumFractionDigits: row.digits ?? 0 })
      const spread = [median(row.values), Math.min(...row.values), Math.max(...row.values)].map(show)
      const bar =
        row.atLeast === undefined ? ['', ''] : [`≥ ${row.atLeast}`, median(row.values) < row.atLeast ? 'no' : 'yes']
      return `| ${[row.what, ...spread, ...bar].join(' | ')} |`
    }),
  ]
}

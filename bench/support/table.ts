/** One line of a table of results, and whether it reaches its bar; `bar` is empty where there is none. */
export interface Row {
  readonly what: string
  readonly measured: string
  readonly ceiling: string
  readonly figure: string
  readonly bar: string
  readonly isMet: boolean
}

interface Measured {
  readonly what: string
  readonly figure: number
  readonly digits?: number
  readonly measured?: string
  readonly ceiling?: string
}

export function atLeast(bar: number, measured: Measured): Row {
  return { ...shown(measured), bar: `≥ ${bar}`, isMet: measured.figure >= bar }
}

export function atMost(bar: number, measured: Measured): Row {
  return { ...shown(measured), bar: `≤ ${bar}`, isMet: measured.figure <= bar }
}

/** Nothing was promised about it. */
export function told(measured: Measured): Row {
  return { ...shown(measured), bar: '', isMet: true }
}

export function tableOf(rows: readonly Row[]): string[] {
  return [
    '| what | measured | compared with | figure | bar | met |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(({ what, measured, ceiling, figure, bar, isMet }) => {
      const met = bar === '' ? '' : isMet ? 'yes' : 'no'
      return `| ${[what, measured, ceiling, figure, bar, met].join(' | ')} |`
    }),
  ]
}

export function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')}/s`
}

function shown({ what, figure, digits = 2, measured = '', ceiling = '' }: Measured): Omit<Row, 'bar' | 'isMet'> {
  return { what, measured, ceiling, figure: figure.toFixed(digits) }
}

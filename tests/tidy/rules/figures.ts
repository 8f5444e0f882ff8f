import { type Finding, type Source, sourceAt } from '../sources.ts'
import { cellsOf } from './tables.ts'

const RESULTS = 'bench/RESULTS.md'
/** `<!--= Section; how the row begins; column -->figure<!--/-->` */
const MARK = /<!--= ([^;]+); (.+?); ([^;]+?) -->(.*?)<!--\/-->/g

/** Figures that are not what the measurements say. */
export function figuresBesideTheirSource(sources: readonly Source[]): Finding[] {
  const results = sourceAt(sources, RESULTS).text
  return sources
    .filter(({ path }) => isPaper(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(MARK)].flatMap(([, section = '', row = '', column = '', figure = '']) => {
        const cell = cellAt(results, { section, row, column })
        if (cell === null) return [`${path}: ${RESULTS} has no "${row}" with "${column}" under ${section}`]
        const isSame = cell === figure || cell.startsWith(`${figure} `)
        return isSame ? [] : [`${path} says ${figure}; ${RESULTS} says ${cell} (${section}; ${row}; ${column})`]
      }),
    )
}

/** Rows of the table in docs/scaling.md with a figure that comes from nowhere. */
export function figuresFromNowhere(sources: readonly Source[]): Finding[] {
  const [, , ...rows] = sourceAt(sources, 'docs/scaling.md')
    .text.split('\n')
    .filter((line) => line.startsWith('|'))
  return rows.map(cellsOf).flatMap(([what = '', figure = '']) => (figure.includes('<!--= ') ? [] : [what]))
}

/** The text with the figures that the measurements have now, and the marks that they have no figure for. */
export function withFiguresOf(results: string, text: string): { text: string; missing: string[] } {
  const missing: string[] = []
  const written = text.replace(MARK, (mark, section: string, row: string, column: string) => {
    const cell = cellAt(results, { section, row, column })
    if (cell === null) missing.push(`${section}; ${row}; ${column}`)
    // A remark behind the figure stays in the table.
    return cell === null ? mark : `<!--= ${section}; ${row}; ${column} -->${cell.split(' ', 1)[0]}<!--/-->`
  })
  return { text: written, missing }
}

function isPaper(path: string): boolean {
  return path === 'README.md' || path === 'ARCHITECTURE.md' || path.startsWith('docs/')
}

interface CellName {
  readonly section: string
  readonly row: string
  readonly column: string
}

function cellAt(results: string, at: CellName): string | null {
  const section = results.split(/^## /m).find((part) => part.startsWith(`${at.section}\n`)) ?? ''
  let header: string[] = []
  for (const line of section.split('\n')) {
    if (!line.startsWith('|')) header = []
    else if (header.length === 0) header = cellsOf(line)
    else {
      const cells = cellsOf(line)
      const index = header.indexOf(at.column)
      if (index !== -1 && isNamed(cells[0] ?? '', at.row)) return cells[index] ?? null
    }
  }
  return null
}

/** By its first words; a row that is named by a number, by all of it. */
function isNamed(cell: string, row: string): boolean {
  return /^[\d,]+$/.test(row) ? cell === row : cell.startsWith(row)
}

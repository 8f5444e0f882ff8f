import { Readable } from 'node:stream'
import { isoInZone } from '@seatwise/domain'
import type { FastifyReply } from 'fastify'

type Cell = string | number | boolean | Date | null

export interface Table {
  readonly name: string
  /** The time zone of the times; each is written with its offset, so that it is unambiguous. */
  readonly timeZone: string
  readonly pages: AsyncIterable<readonly object[]>
  /** Columns with minor units of the row's `currency`: written as people read money, 12.50. */
  readonly money?: readonly string[]
}

/** Streams a table page by page, so that memory use does not grow with its size. The first row names the columns. */
export function sendTable(reply: FastifyReply, { name, timeZone, pages, money = [] }: Table): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .type('text/csv; charset=utf-8')
    .send(Readable.from(linesOf(pages, timeZone, new Set(money))))
}

/** The byte order mark tells spreadsheets that the text is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

async function* linesOf(pages: Table['pages'], timeZone: string, money: ReadonlySet<string>): AsyncGenerator<string> {
  let isFirst = true
  for await (const page of pages) {
    const [row] = page
    if (row === undefined) continue
    if (isFirst) yield BYTE_ORDER_MARK + writeLine(Object.keys(row), timeZone)
    isFirst = false
    yield page.map((cells) => writeLine(cellsOf(cells, money), timeZone)).join('')
  }
  if (isFirst) yield BYTE_ORDER_MARK
}

/** A plain decimal with a point, in every language: what a spreadsheet adds up. */
class Money {
  readonly text: string
  constructor(minor: number, currency: string) {
    const digits = minorDigits(currency)
    this.text = (minor / 10 ** digits).toFixed(digits)
  }
}

function cellsOf(row: object, money: ReadonlySet<string>): readonly (Cell | Money)[] {
  const { currency } = row as { currency?: unknown }
  return Object.entries(row).map(([name, cell]: [string, Cell]) =>
    money.has(name) && typeof cell === 'number' && typeof currency === 'string' ? new Money(cell, currency) : cell,
  )
}

const digitsOf = new Map<string, number>()
function minorDigits(currency: string): number {
  const known = digitsOf.get(currency)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  digitsOf.set(currency, digits)
  return digits
}

function writeLine(cells: readonly (Cell | Money)[], timeZone: string): string {
  return `${cells.map((cell) => writeCell(cell, timeZone)).join(',')}\r\n`
}

/**
 * Prefixes text that a spreadsheet would run as a formula with an apostrophe: visitors choose the names, and an
 * operator opens the table.
 */
function writeCell(cell: Cell | Money, timeZone: string): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Money) return cell.text
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell)
  const text = cell instanceof Date ? isoInZone(timeZone, cell.getTime()) : cell
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

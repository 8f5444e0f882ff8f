import { Readable } from 'node:stream'
import { isoInZone } from '@seatwise/domain'
import type { FastifyReply } from 'fastify'

type Cell = string | number | boolean | Date | null

export interface Table {
  readonly name: string
  /** The time zone of the times; each is written with its offset, so that it is unambiguous. */
  readonly timeZone: string
  readonly pages: AsyncIterable<readonly object[]>
}

/** Streams a table page by page, so that memory use does not grow with its size. The first row names the columns. */
export function sendTable(reply: FastifyReply, { name, timeZone, pages }: Table): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .type('text/csv; charset=utf-8')
    .send(Readable.from(linesOf(pages, timeZone)))
}

/** The byte order mark tells spreadsheets that the text is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

async function* linesOf(pages: Table['pages'], timeZone: string): AsyncGenerator<string> {
  let isFirst = true
  for await (const page of pages) {
    const [row] = page
    if (row === undefined) continue
    if (isFirst) yield BYTE_ORDER_MARK + writeLine(Object.keys(row), timeZone)
    isFirst = false
    yield page.map((cells) => writeLine(Object.values(cells), timeZone)).join('')
  }
  if (isFirst) yield BYTE_ORDER_MARK
}

function writeLine(cells: readonly Cell[], timeZone: string): string {
  return `${cells.map((cell) => writeCell(cell, timeZone)).join(',')}\r\n`
}

/**
 * Prefixes text that a spreadsheet would run as a formula with an apostrophe: visitors choose the names, and an
 * operator opens the table.
 */
function writeCell(cell: Cell, timeZone: string): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell)
  const text = cell instanceof Date ? isoInZone(timeZone, cell.getTime()) : cell
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

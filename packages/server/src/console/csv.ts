import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

type Cell = string | number | boolean | Date | null

/** Sends a table page by page, so that one of any size needs little memory. The first row names the columns. */
export function sendTable(reply: FastifyReply, name: string, pages: AsyncIterable<readonly object[]>): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .type('text/csv; charset=utf-8')
    .send(Readable.from(linesOf(pages)))
}

/** The mark at the beginning tells spreadsheets that names are in UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

async function* linesOf(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let isFirst = true
  for await (const page of pages) {
    const [row] = page
    if (row === undefined) continue
    if (isFirst) yield BYTE_ORDER_MARK + writeLine(Object.keys(row))
    isFirst = false
    yield page.map((cells) => writeLine(Object.values(cells))).join('')
  }
  if (isFirst) yield BYTE_ORDER_MARK
}

function writeLine(cells: readonly Cell[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

/**
 * Text that a spreadsheet would run as a formula gets an apostrophe before it: names come from strangers, and whoever
 * opens the table is an operator.
 */
function writeCell(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell)
  const text = cell instanceof Date ? cell.toISOString() : cell
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

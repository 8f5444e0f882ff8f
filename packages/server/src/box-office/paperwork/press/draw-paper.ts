import PDFDocument from 'pdfkit'
import { encode } from 'uqr'
import { learnCoverage, registerFonts, splitRuns } from './fonts.ts'
import type { Block, Paper, TableBlock } from './paper.ts'

/** A4, in points. */
const PAGE = { width: 595.28, height: 841.89, margin: 50 }
const INNER = PAGE.width - 2 * PAGE.margin
const BOTTOM = PAGE.height - PAGE.margin
const LINE = 1.4
const INK = '#111111'
const QUIET = '#555555'
/** Of the label in a list of facts. */
const LABEL = 130
const CELL_GAP = 6

/**
 * Noto Sans draws some letters, such as ị, from two glyphs, and a reader that copies the text would lose the mark. The text
 * is composed already.
 */
const SHAPING = { features: { ccmp: false } }

/** pdfkit takes features that are switched off, too; its types know only those that are switched on. */
interface Pen {
  text(text: string, x: number, y: number, options: object): unknown
  widthOfString(text: string, options: object): number
}

const SIZES = { heading: 20, large: 14, strong: 10, quiet: 9, plain: 10 } as const
type Style = keyof typeof SIZES

/** Draws a document, whole in memory. A table that does not fit goes on on the next page under its headings. */
export async function drawPaper(paper: Paper): Promise<Uint8Array> {
  const document = new PDFDocument({
    ...{ size: 'A4', margin: 0, autoFirstPage: false, lang: paper.language, displayTitle: true },
    info: { Title: paper.title, Author: paper.author, CreationDate: new Date(paper.createdAt), Producer: 'Seatwise' },
  })
  const chunks: Buffer[] = []
  const done = new Promise<void>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', resolve)
    document.on('error', reject)
  })
  learnCoverage(() => new PDFDocument({ autoFirstPage: false }))
  registerFonts(document)
  for (const sheet of paper.sheets) new Sheet(document).draw(sheet)
  document.end()
  await done
  return Buffer.concat(chunks)
}

/** A sequence of pages that is written from top to bottom. */
class Sheet {
  readonly #document: PDFKit.PDFDocument
  /** Tables measure the same words again and again. */
  readonly #widths = new Map<string, number>()
  #y = 0

  constructor(document: PDFKit.PDFDocument) {
    this.#document = document
    this.#turnPage()
  }

  draw(blocks: readonly Block[]): void {
    for (const block of blocks) this.#drawBlock(block)
  }

  #drawBlock(block: Block): void {
    switch (block.kind) {
      case 'heading':
        this.#write(block.text, 'heading')
        return
      case 'text':
        this.#write(block.text, block.style ?? 'plain')
        return
      case 'facts':
        for (const [label, value] of block.rows) this.#drawFact(label, value)
        return
      case 'table':
        this.#drawTable(block)
        return
      case 'code':
        this.#drawCode(block.content, block.side)
        return
      case 'gap':
        this.#y += 16
    }
  }

  #turnPage(): void {
    this.#document.addPage()
    this.#y = PAGE.margin
  }

  #need(height: number): void {
    if (this.#y + height > BOTTOM) this.#turnPage()
  }

  #write(text: string, style: Style): void {
    for (const line of this.#wrap(text, style, INNER)) {
      this.#need(SIZES[style] * LINE)
      this.#drawLine(line, style, { x: PAGE.margin, width: INNER, align: 'left' })
      this.#y += SIZES[style] * LINE
    }
  }

  #drawFact(label: string, value: string): void {
    const lines = this.#wrap(value, 'plain', INNER - LABEL)
    lines.forEach((line, index) => {
      this.#need(SIZES.plain * LINE)
      if (index === 0) this.#drawLine(label, 'quiet', { x: PAGE.margin, width: LABEL - CELL_GAP, align: 'left' })
      this.#drawLine(line, 'plain', { x: PAGE.margin + LABEL, width: INNER - LABEL, align: 'left' })
      this.#y += SIZES.plain * LINE
    })
  }

  #drawTable({ columns, rows, sums }: TableBlock): void {
    const labels = columns.map(({ label }) => label)
    const head = (): void => {
      this.#drawRow(columns, labels, 'quiet')
      this.#rule()
    }
    head()
    for (const row of rows) {
      const top = this.#y
      if (this.#y + this.#heightOf(columns, row, 'plain') > BOTTOM) this.#turnPage()
      if (this.#y < top) head()
      this.#drawRow(columns, row, 'plain')
    }
    this.#rule()
    for (const row of sums) this.#drawRow(columns, row, 'strong')
  }

  #drawRow(columns: TableBlock['columns'], cells: readonly string[], style: Style): void {
    const height = this.#heightOf(columns, cells, style)
    this.#need(height)
    const top = this.#y
    let x = PAGE.margin
    columns.forEach(({ width, align }, index) => {
      this.#y = top
      const room = width * INNER - CELL_GAP
      for (const line of this.#wrap(cells[index] ?? '', style, room)) {
        this.#drawLine(line, style, { x, width: room, align })
        this.#y += SIZES[style] * LINE
      }
      x += width * INNER
    })
    this.#y = top + height
  }

  #heightOf(columns: TableBlock['columns'], cells: readonly string[], style: Style): number {
    const lines = columns.map(({ width }, index) => this.#wrap(cells[index] ?? '', style, width * INNER - CELL_GAP))
    return Math.max(1, ...lines.map(({ length }) => length)) * SIZES[style] * LINE
  }

  #rule(): void {
    const y = this.#y + 2
    this.#document
      .moveTo(PAGE.margin, y)
      .lineTo(PAGE.width - PAGE.margin, y)
      .lineWidth(0.5)
      .stroke(QUIET)
    this.#y += 5
  }

  /** Vector squares: a code is as sharp as the printer. Level M keeps it readable after one fold. */
  #drawCode(content: string, side: number): void {
    const { data, size } = encode(content, { ecc: 'M', border: 4 })
    this.#need(side)
    const dot = side / size
    data.forEach((row, y) => {
      for (const { from, length } of stretches(row)) {
        this.#document.rect(PAGE.margin + from * dot, this.#y + y * dot, length * dot, dot)
      }
    })
    this.#document.fill('#000000')
    this.#y += side
  }

  #drawLine(text: string, style: Style, at: { x: number; width: number; align: 'left' | 'right' }): void {
    const document = this.#document
    const runs = splitRuns(text, isStrong(style))
    const widths = runs.map((run) => this.#widthOf(run.face, run.text, style))
    const whole = widths.reduce((sum, width) => sum + width, 0)
    let x = at.align === 'right' ? at.x + at.width - whole : at.x
    document.fillColor(style === 'quiet' ? QUIET : INK)
    runs.forEach((run, index) => {
      const pen: Pen = document.font(run.face).fontSize(SIZES[style])
      // The baseline is the same for all fonts; their heights are not.
      pen.text(run.text, x, this.#y + SIZES[style], { ...SHAPING, lineBreak: false, baseline: 'alphabetic' })
      x += widths[index] ?? 0
    })
  }

  #widthOf(face: string, text: string, style: Style): number {
    const key = `${face} ${style} ${text}`
    const known = this.#widths.get(key)
    if (known !== undefined) return known
    const pen: Pen = this.#document.font(face).fontSize(SIZES[style])
    const width = pen.widthOfString(text, SHAPING)
    this.#widths.set(key, width)
    return width
  }

  #measure(text: string, style: Style): number {
    return splitRuns(text, isStrong(style)).reduce(
      (sum, { face, text: run }) => sum + this.#widthOf(face, run, style),
      0,
    )
  }

  /** Breaks at spaces, and within a word that is longer than a line. */
  #wrap(text: string, style: Style, width: number): string[] {
    const fits = (line: string): boolean => this.#measure(line, style) <= width
    return text.split(/\r\n|\r|\n/).flatMap((paragraph) => wrapLine(paragraph, fits))
  }
}

function wrapLine(paragraph: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of printable(paragraph).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const character of word) {
      if (line !== '' && !fits(line + character)) {
        lines.push(line)
        line = ''
      }
      line += character
    }
  }
  return [...lines, line]
}

/** Without what moves or hides text: tabs, other control characters, and marks of writing direction. */
const printable = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').replace(/\p{Cf}/gu, '')

/** The dark stretches of a row. */
function* stretches(row: readonly boolean[]): Generator<{ from: number; length: number }> {
  for (let from = 0; from < row.length; from += 1) {
    if (row[from] !== true) continue
    const end = row.indexOf(false, from)
    const length = (end === -1 ? row.length : end) - from
    yield { from, length }
    from += length
  }
}

const isStrong = (style: Style): boolean => style === 'heading' || style === 'strong' || style === 'large'

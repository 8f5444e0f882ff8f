import { type Html, html } from '../html.ts'

/*
 * The Markdown of organisers: paragraphs, headings, lists, quotations, **strong** and *emphasised* words, and links to https,
 * http and mailto addresses. Everything else is text, HTML too. It is our own, because it is small this way and safe by how it
 * is built: each piece of text passes through `html`, which escapes it, and no tag is made but the ones below.
 */

/** Blank lines divide paragraphs; lists, headings and quotations are known by how their lines begin. */
export function markdown(text: string): Html[] {
  const blocks: { kind: Kind; lines: string[] }[] = []
  let isNew = true
  for (const line of text.split('\n').map((raw) => raw.trim())) {
    const kind = kindOf(line)
    const last = blocks.at(-1)
    if (line === '') isNew = true
    else if (isNew || last === undefined || last.kind !== kind || kind === 'heading')
      blocks.push({ kind, lines: [line] })
    else last.lines.push(line)
    if (line !== '') isNew = false
  }
  return blocks.map(({ kind, lines }) => BLOCKS[kind](lines))
}

/** The words alone, for places that show no marks: previews on other sites, and mail without HTML. */
export function plainText(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim().replace(LINE_MARK, ''))
    .map((line) => piecesOf(line).map(wordsOf).join(''))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

const BULLET = /^[-*•]\s+/
const NUMBER = /^\d{1,3}[.)]\s+/
const HEADING = /^(#{1,3})\s+(.*)$/
const QUOTATION = /^>\s?/
const LINE_MARK = /^(?:[-*•]\s+|#{1,3}\s+|>\s?)/

type Kind = 'heading' | 'bullet' | 'number' | 'quotation' | 'words'

function kindOf(line: string): Kind {
  if (HEADING.test(line)) return 'heading'
  if (BULLET.test(line)) return 'bullet'
  if (NUMBER.test(line)) return 'number'
  return QUOTATION.test(line) ? 'quotation' : 'words'
}

/** The page has the first heading: those in a text are below it. */
const BLOCKS: Readonly<Record<Kind, (lines: readonly string[]) => Html>> = {
  heading: ([line = '']) => {
    const [, mark = '', title = ''] = HEADING.exec(line) ?? []
    return mark === '###' ? html`<h3>${inline(title)}</h3>` : html`<h2>${inline(title)}</h2>`
  },
  bullet: (lines) => html`<ul class="bullets">${itemsOf(lines, BULLET)}</ul>`,
  number: (lines) => html`<ol class="numbers">${itemsOf(lines, NUMBER)}</ol>`,
  quotation: (lines) => html`<blockquote>${linesOf(unmarked(lines, QUOTATION))}</blockquote>`,
  words: (lines) => html`<p>${linesOf(lines)}</p>`,
}

const unmarked = (lines: readonly string[], mark: RegExp): string[] => lines.map((line) => line.replace(mark, ''))
const itemsOf = (lines: readonly string[], mark: RegExp): Html[] =>
  unmarked(lines, mark).map((line) => html`<li>${inline(line)}</li>`)

/** An organiser who begins a new line means one. */
const linesOf = (lines: readonly string[]): Html[] =>
  lines.map((line, index) => (index === 0 ? inline(line) : html`<br>${inline(line)}`))

type Piece =
  | { readonly kind: 'text' | 'mark'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }

const wordsOf = (piece: Piece): string => (piece.kind === 'mark' ? '' : piece.text)

/** Lengths are bounded, so that no start of a link is searched far for its end. */
const MARKS = /\\[*[\]\\]|\*\*|\*|\[([^[\]\n]{1,200})\]\(([^()\s]{1,500})\)|https?:\/\/[^\s<>"*]{1,500}/g

function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const found of line.matchAll(MARKS)) {
    if (found.index > from) pieces.push({ kind: 'text', text: line.slice(from, found.index) })
    pieces.push(...piecesAt(found))
    from = found.index + found[0].length
  }
  if (from < line.length) pieces.push({ kind: 'text', text: line.slice(from) })
  return pieces
}

function piecesAt(found: RegExpExecArray): Piece[] {
  const [all, label, target] = found
  if (label !== undefined && target !== undefined) return [linkTo(target, label) ?? { kind: 'text', text: all }]
  if (all === '*' || all === '**') return [{ kind: 'mark', text: all }]
  if (all.startsWith('\\')) return [{ kind: 'text', text: all.slice(1) }]
  // What ends the sentence is no part of the address.
  const address = all.replace(/[.,;:!?)']+$/, '')
  const link = linkTo(address, address)
  return link === null ? [{ kind: 'text', text: all }] : [link, { kind: 'text', text: all.slice(address.length) }]
}

const PROTOCOLS = new Set(['https:', 'http:', 'mailto:'])

/** Only what a browser opens as a page or a letter; never a script. */
function linkTo(address: string, text: string): Piece | null {
  const url = URL.parse(address)
  const isOpened = url !== null && PROTOCOLS.has(url.protocol) && url.username + url.password === ''
  return isOpened ? { kind: 'link', text, href: url.href } : null
}

interface Open {
  readonly mark: string
  readonly inside: Html[]
}

/** A mark that is never closed is text. Each of the two marks is open at most once, so that nothing nests deeply. */
function inline(line: string): Html {
  const done: Html[] = []
  const open: Open[] = []
  const add = (piece: Html): unknown => (open.at(-1)?.inside ?? done).push(piece)
  const unfold = ({ mark, inside }: Open): void => {
    add(html`${mark}${inside}`)
  }
  for (const piece of piecesOf(line)) {
    if (piece.kind === 'text') add(html`${piece.text}`)
    else if (piece.kind === 'link') add(html`<a href="${piece.href}" rel="noopener nofollow">${piece.text}</a>`)
    else if (open.some(({ mark }) => mark === piece.text)) {
      while (open.at(-1)?.mark !== piece.text) unfold(open.pop() as Open)
      const { mark, inside } = open.pop() as Open
      add(mark === '**' ? html`<strong>${inside}</strong>` : html`<em>${inside}</em>`)
    } else open.push({ mark: piece.text, inside: [] })
  }
  while (open.length > 0) unfold(open.pop() as Open)
  return html`${done}`
}

/** The rows below the heading that contains `heading`, without the header row; cells are trimmed. */
export function readTable(markdown: string, heading: string): string[][] {
  const lines = markdown.split('\n')
  const at = lines.findIndex((line) => line.startsWith('#') && line.includes(heading))
  if (at === -1) throw new Error(`no heading "${heading}"`)
  const section = lines.slice(at + 1, endOfSection(lines, at))
  const rows = section.filter((line) => line.startsWith('|')).map(cellsOf)
  return rows.slice(2) // the header and the dashes
}

/** Every table row of a document with code in its first cell: the name it documents. */
export function documentedNames(markdown: string): string[] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => codeSpans(cellsOf(line)[0] ?? ''))
}

export function codeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
}

function endOfSection(lines: readonly string[], at: number): number {
  const next = lines.findIndex((line, index) => index > at && line.startsWith('#'))
  return next === -1 ? lines.length : next
}

export function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

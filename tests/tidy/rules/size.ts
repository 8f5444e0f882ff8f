import { posix } from 'node:path'
import { type Finding, isCode, isProduct, type Source } from '../sources.ts'

const FILE_LINES_MAX = 400
const FUNCTION_LINES_MAX = 70
const FOLDER_FILES_MAX = 25

export function longFiles(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ path }) => isCode(path))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length }))
    .filter(({ lines }) => lines > FILE_LINES_MAX)
    .map(({ path, lines }) => `${path} has ${lines} lines; ${FILE_LINES_MAX} is the wall`)
}

export function longFunctions(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ path }) => isProduct(path) || path.startsWith('scripts/'))
    .flatMap(({ path, text }) =>
      functionsIn(text)
        .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
        .map(({ name, lines }) => `${path}: ${name} has ${lines} lines; a function fits on a screen`),
    )
}

/** Folders of code with more files than a reader takes in at a glance. */
export function crowdedFolders(sources: readonly Source[]): Finding[] {
  const counts = new Map<string, number>()
  for (const { path } of sources) {
    const folder = posix.dirname(path)
    if (/^(packages\/[^/]+\/(src|test)|tests)(\/|$)/.test(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, files]) => files > FOLDER_FILES_MAX)
    .map(([folder, files]) => `${folder} has ${files} files; above ${FOLDER_FILES_MAX} it wants sub-folders`)
}

/**
 * Named functions and methods, each without the named functions inside it: those are read on their own.
 * The formatter closes each on a line of its own, indented as it began; that finds its end.
 */
export function functionsIn(text: string): { name: string; lines: number }[] {
  const lines = text.split('\n')
  const spans = lines.flatMap((line, first) => {
    const [, indent, name] = FUNCTION_START.exec(line) ?? []
    if (indent === undefined || name === undefined || NOT_A_NAME.has(name)) return []
    const find = (from: number, pattern: RegExp) =>
      lines.findIndex(
        (later, index) => index >= from && later.startsWith(indent) && pattern.test(later.slice(indent.length)),
      )
    // A head that was wrapped ends where its parenthesis closes; without a brace there it has no body.
    const head = line.endsWith('{') ? first : find(first + 1, /^\S/)
    if (!lines[head]?.endsWith('{')) return []
    const last = find(head + 1, CLOSING)
    return last === -1 ? [] : [{ name, first, last, lines: last - first + 1 }]
  })
  return spans.map((span) => {
    const inside = spans.filter((other) => other.first > span.first && other.last < span.last)
    const outermost = inside.filter((one) => !inside.some((other) => other.first < one.first && other.last > one.last))
    return { name: span.name, lines: outermost.reduce((rest, one) => rest - one.lines, span.lines) }
  })
}

const FUNCTION_START =
  /^( *)(?:export )?(?:default )?(?:static )?(?:override )?(?:async )?(?:function\*? )?\*?(#?\w+)(?:<[^(]*>)?\([^;]*$/
const CLOSING = /^\}[,;]?$/
const NOT_A_NAME = new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'describe', 'super'])

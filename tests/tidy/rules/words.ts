import { posix } from 'node:path'
import { type Finding, isCode, type Source, sourceAt } from '../sources.ts'
import { codeSpans, readTable } from './tables.ts'

const PAPER = 'ARCHITECTURE.md'

/** A name that had a second meaning, or was the second name of one thing, and must not come back. */
export interface RetiredName {
  readonly name: string
  readonly folders: readonly string[]
  readonly instead: string
}

/** The rows of "Retired names": `| where | retired | use instead |`. */
export function readRetiredNames(sources: readonly Source[]): RetiredName[] {
  return readTable(sourceAt(sources, PAPER).text, 'Retired names').flatMap(([where = '', names = '', instead = '']) =>
    codeSpans(names).map((name) => ({ name, folders: codeSpans(where), instead })),
  )
}

/** Places where a retired name is in use again. */
export function retiredNamesInUse(sources: readonly Source[], retired: readonly RetiredName[]): Finding[] {
  return retired.flatMap((one) =>
    codeIn(sources, one.folders).flatMap((source) =>
      usesOf(one.name, source).map((use) => `${source.path}: ${use}; ${one.name} is retired, use ${one.instead}`),
    ),
  )
}

/** Rows that check nothing because a folder has moved, or that do not say what to use instead. */
export function idleRetirements(sources: readonly Source[], retired: readonly RetiredName[]): Finding[] {
  return retired.flatMap(({ name, folders, instead }) => [
    ...(folders.length === 0 ? [`${PAPER} retires ${name} nowhere`] : []),
    ...(instead === '' ? [`${PAPER} does not say what to use instead of ${name}`] : []),
    ...folders
      .filter((folder) => codeIn(sources, [folder]).length === 0)
      .map((folder) => `${PAPER} retires ${name} in ${folder}, which has no code`),
  ])
}

/** Words of the glossary without a meaning, or with two rows. */
export function unclearWords(sources: readonly Source[]): Finding[] {
  const rows = readTable(sourceAt(sources, PAPER).text, 'Glossary')
  const words = rows.map(([word = '']) => word)
  return [
    ...rows.filter(([, meaning = '']) => meaning === '').map(([word]) => `${PAPER} does not say what ${word} means`),
    ...words.filter((word, at) => words.indexOf(word) !== at).map((word) => `${PAPER} explains ${word} twice`),
  ]
}

function codeIn(sources: readonly Source[], folders: readonly string[]): Source[] {
  return sources.filter(({ path }) => isCode(path) && folders.some((folder) => path.startsWith(`${folder}/`)))
}

/** A name in quotes is a text in the code, one with a dot a file; any other is looked for in declared names and file names. */
function usesOf(name: string, { path, text }: Source): string[] {
  const file = posix.basename(path)
  const [, quoted] = /^'(.+)'$/.exec(name) ?? []
  if (quoted !== undefined)
    return new RegExp(`['"\`]${RegExp.escape(quoted)}(?!\\w)`).test(text) ? ['has the text'] : []
  if (name.includes('.')) return file === name ? ['is the file'] : []
  const retired = wordsOf(name)
  const declared = new Set([...text.matchAll(DECLARATION)].map(([, found = '']) => found))
  return [
    ...(hasWords(wordsOf(file.split('.')[0] ?? ''), retired) ? ['is so called'] : []),
    ...[...declared].filter((found) => hasWords(wordsOf(found), retired)).map((found) => `declares ${found}`),
  ]
}

const DECLARATION = /\b(?:local function|function\*?|class|interface|type|const|let|local)\s+(\w+)/g

/** `settlePayment`, `settle-payment` and `settle_payment` are the same words. */
function wordsOf(name: string): string[] {
  return name
    .split(/[-_]|(?<=[a-z0-9])(?=[A-Z])/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

function hasWords(words: readonly string[], wanted: readonly string[]): boolean {
  return words.some((_, from) => wanted.every((word, at) => words[from + at] === word))
}

import type { Finding, Source } from '../sources.ts'
import { sourceAt } from '../sources.ts'
import { cellsOf, codeSpans } from './tables.ts'

const PAPER = 'docs/journeys.md'

export interface Hop {
  readonly journey: string
  readonly file: string
  /** Undefined where the file itself is the step: an SQL statement or a Lua script. */
  readonly name: string | undefined
}

/** The rows of every table in docs/journeys.md: `| hop | file | function | what happens |`, by the heading above it. */
export function hopsIn(sources: readonly Source[]): Hop[] {
  let journey = ''
  return sourceAt(sources, PAPER)
    .text.split('\n')
    .flatMap((line) => {
      if (line.startsWith('## ')) journey = line.slice(3)
      const [, file, name] = line.startsWith('|') ? cellsOf(line).map((cell) => codeSpans(cell)[0]) : []
      return file === undefined ? [] : [{ journey, file, name }]
    })
}

/** Hops that name a file or a function that is gone. */
export function brokenHops(sources: readonly Source[]): Finding[] {
  return hopsIn(sources).flatMap(({ journey, file, name }) => {
    const source = sources.find(({ path }) => path === file)
    if (source === undefined) return [`${PAPER}: ${journey}: there is no ${file}`]
    const isScript = /\.(sql|lua)$/.test(file)
    if (name === undefined) return isScript ? [] : [`${PAPER}: ${journey}: names no function in ${file}`]
    return declares(source.text, name) ? [] : [`${PAPER}: ${journey}: ${file} declares no ${name}`]
  })
}

/** A function, class, constant or method of that name; `Room.join` means a method join in a file about Room. */
function declares(text: string, name: string): boolean {
  const own = name.split('.').at(-1) ?? name
  const escaped = own.replaceAll('#', '\\#')
  const declared = new RegExp(`(?:function|class|const|local function)\\s+${escaped}\\b`)
  const method = new RegExp(`^\\s+(?:async\\s+|override\\s+|readonly\\s+)*${escaped}\\s*(?:<[^>]*>)?\\s*[(:=]`, 'm')
  return declared.test(text) || method.test(text)
}

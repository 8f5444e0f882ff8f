import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const RELATIVE_SOURCE = /(['"])((?:\.{1,2}\/)*[\w./-]+)\.tsx?\1/g
const SPECIFIER = /(?:^|[;}\s])(?:from|import)\s*\(?\s*(['"])([@\w.][\w@./:-]*)\1/g

/**
 * Names of TypeScript files that the compiler left as they were, in declarations and in strings (threads, processes),
 * get the names of what was emitted. A string that names no such file stays.
 */
export function nameEmitted(code, file) {
  return code.replace(RELATIVE_SOURCE, (whole, quote, name) =>
    isEmitted(join(dirname(file), name)) ? `${quote}${name}.js${quote}` : whole,
  )
}

function isEmitted(path) {
  return existsSync(`${path}.js`) || existsSync(`${path}.d.ts`)
}

/** What a module imports, in whatever way. */
export function specifiersOf(code) {
  return [...code.matchAll(SPECIFIER)].map((match) => match[2])
}

/** Files that it names in strings: threads, processes, statements, scripts, lists. */
export function filesNamedIn(code, file) {
  return [...code.matchAll(/(['"])((?:\.{1,2}\/)*[\w./-]+\.(?:js|sql|lua|txt|json))\1/g)]
    .map((match) => join(dirname(file), match[2]))
    .filter((path) => existsSync(path))
}

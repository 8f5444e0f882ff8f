import { posix } from 'node:path'
import type { Source } from '../sources.ts'

export interface Import {
  /** The file that imports. */
  readonly from: string
  /** What it names, as written. */
  readonly specifier: string
  /** Types vanish before the program runs; they cannot close a cycle. */
  readonly isTypeOnly: boolean
}

const FROM = /^\s*(import|export)(\s+type)?\s[^'"`;]*?from\s+['"]([^'"]+)['"]/gm
const BARE = /^\s*import\s+['"]([^'"]+)['"]/gm
const CALLED = /\b(?:import|require)\(\s*['"]([^'"]+)['"]/g

export function importsOf({ path, text }: Source): Import[] {
  const found = (specifier: string | undefined, isTypeOnly: boolean): Import[] =>
    specifier === undefined ? [] : [{ from: path, specifier, isTypeOnly }]
  return [
    ...[...text.matchAll(FROM)].flatMap((match) => found(match[3], match[2] !== undefined)),
    ...[...text.matchAll(BARE)].flatMap((match) => found(match[1], false)),
    ...[...text.matchAll(CALLED)].flatMap((match) => found(match[1], false)),
  ]
}

export function isRelative(specifier: string): boolean {
  return specifier.startsWith('.')
}

/** The file a relative import leads to. */
export function targetOf({ from, specifier }: Import): string {
  return posix.join(posix.dirname(from), specifier)
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A text file of the repository; `path` is relative to its root, with forward slashes. */
export interface Source {
  readonly path: string
  readonly text: string
}

/** A sentence that names the file and what is wrong with it. No findings means the rule holds. */
export type Finding = string

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

const IGNORED_FOLDERS = new Set(['node_modules', '.git', '.seatwise', 'coverage', 'dist'])
const TEXT = /\.(ts|tsx|mjs|js|json|lua|sql|css|html|md|sh|yml|yaml)$|^\.ci\/run$/

/** Reads the working tree, not the commit: the rules hold for what you are about to commit. */
export function readSources(): Source[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => TEXT.test(path) && !path.split('/').some((folder) => IGNORED_FOLDERS.has(folder)))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

export function sourceAt(sources: readonly Source[], path: string): Source {
  const source = sources.find((candidate) => candidate.path === path)
  if (source === undefined) throw new Error(`${path} is not in the repository`)
  return source
}

/** Product code: what runs in a deployment. */
export function isProduct(path: string): boolean {
  return /^packages\/[^/]+\/(src|bin)\/.*\.(ts|mjs)$/.test(path)
}

/** Code of tests, including the suites and fixtures they share. */
export function isTest(path: string): boolean {
  return /^(packages\/[^/]+\/test|tests)\/.*\.ts$/.test(path)
}

export function isCode(path: string): boolean {
  return /\.(ts|tsx|mjs|lua|sql|css)$/.test(path)
}

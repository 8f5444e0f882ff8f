import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where `build-pages.ts` leaves what browsers load. */
export const DIST = join(import.meta.dirname, '../dist')
export const ASSETS_PATH = '/assets/'

/** One file that browsers load, in the encodings they may ask for. Its name changes with its content. */
export interface Asset {
  readonly type: string
  readonly plain: Buffer
  /** Null for what is compressed already: letters. */
  readonly brotli: Buffer | null
  readonly gzip: Buffer | null
}

export interface Assets {
  /** By name, without the path before it. */
  readonly files: ReadonlyMap<string, Asset>
  /** Addresses of the script of an entry and of everything it imports, itself first. None before the pages were built. */
  scripts(entry: string): readonly string[]
  /** Addresses of a style sheet. */
  style(name: string): readonly string[]
}

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}
type Manifest = Readonly<Record<string, Chunk>>

/**
 * Reads everything that was built into memory: a few hundred kilobytes, so that nothing is read from a disk while a
 * sale runs, and a later build does not take files away from a server that runs. Null when nothing was built: pages
 * then work as they do without JavaScript.
 */
export function loadAssets(dist: string = DIST): Assets | null {
  const folder = currentBuild(dist)
  if (folder === null) return null
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
  return {
    files: readFiles(folder),
    scripts: (entry) => addresses(manifest, chunksOf(manifest, `src/browser/entries/${entry}`)),
    style: (name) => addresses(manifest, [`src/styles/${name}.css`]),
  }
}

function currentBuild(dist: string): string | null {
  try {
    return join(dist, readFileSync(join(dist, 'current'), 'utf8').trim())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function readFiles(folder: string): Map<string, Asset> {
  const names = readdirSync(folder).filter((name) => /\.(js|css|svg|woff2)$/.test(name))
  return new Map(
    names.map((name) => [
      name,
      {
        type: TYPES[name.slice(name.lastIndexOf('.'))] ?? 'application/octet-stream',
        plain: readFileSync(join(folder, name)),
        brotli: name.endsWith('.woff2') ? null : readFileSync(join(folder, `${name}.br`)),
        gzip: name.endsWith('.woff2') ? null : readFileSync(join(folder, `${name}.gz`)),
      },
    ]),
  )
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The entry and what it imports, each once. */
function chunksOf(manifest: Manifest, entry: string): string[] {
  const found = new Set<string>()
  const visit = (name: string): void => {
    if (found.has(name)) return
    found.add(name)
    for (const next of manifest[name]?.imports ?? []) visit(next)
  }
  const key = [`${entry}.tsx`, `${entry}.ts`].find((name) => name in manifest)
  if (key !== undefined) visit(key)
  return [...found]
}

function addresses(manifest: Manifest, names: readonly string[]): string[] {
  return names.flatMap((name) => manifest[name]?.file ?? []).map((file) => `${ASSETS_PATH}${file}`)
}

import { type Finding, isProduct, type Source, sourceAt } from '../sources.ts'
import { cyclesIn } from './boundaries.ts'
import { type Import, importsOf, isRelative, targetOf } from './imports.ts'
import { codeSpans, readTable } from './tables.ts'

/** The folders of a package's `src`, from the top: each may import those before it. */
export interface FolderOrder {
  readonly package: string
  readonly folders: readonly string[]
}

const HEADING = /^#+ Folders of packages\/([\w-]+), in order$/gm

/** The orders that ARCHITECTURE.md states; a package without such a section has none. */
export function readFolderOrders(sources: readonly Source[]): FolderOrder[] {
  const { text } = sourceAt(sources, 'ARCHITECTURE.md')
  return [...text.matchAll(HEADING)].map(([, name = '']) => ({
    package: name,
    folders: readTable(text, `Folders of packages/${name}, in order`).map(
      ([folder = '']) => codeSpans(folder)[0] ?? '',
    ),
  }))
}

/** Folders that are not in the list, listed folders that are gone or listed twice, and files that lie beside the folders. */
export function foldersBesideTheOrder(sources: readonly Source[], order: FolderOrder): Finding[] {
  const src = `packages/${order.package}/src/`
  const found = sources.filter(({ path }) => path.startsWith(src)).map(({ path }) => path.slice(src.length))
  const there = new Set(found.filter((path) => path.includes('/')).map((path) => path.split('/')[0] ?? ''))
  const beside = found.filter((path) => !path.includes('/') && path !== 'index.ts')
  const { folders } = order
  return [
    ...[...there]
      .filter((name) => !folders.includes(name))
      .map((name) => `${src}${name} has no row in ARCHITECTURE.md`),
    ...folders.filter((name) => !there.has(name)).map((name) => `ARCHITECTURE.md lists ${src}${name}, which is gone`),
    ...folders.filter((name, at) => folders.indexOf(name) !== at).map((name) => `ARCHITECTURE.md lists ${name} twice`),
    ...beside.map((path) => `${src}${path} belongs into a folder`),
  ]
}

/** Imports of a folder that comes later in the order. Those of types count: who reads a file has to know them. */
export function importsAgainstTheOrder(sources: readonly Source[], order: FolderOrder): Finding[] {
  return crossings(sources, order)
    .filter(({ importer, imported }) => order.folders.indexOf(imported) > order.folders.indexOf(importer))
    .map(
      ({ found, importer, imported }) => `${found.from} imports ${found.specifier}: ${imported} is below ${importer}`,
    )
}

/** Imports that enter another folder by a file that is not its door. */
export function importsPastADoor(sources: readonly Source[], order: FolderOrder): Finding[] {
  return crossings(sources, order)
    .filter(({ found, imported }) => targetOf(found) !== `packages/${order.package}/src/${imported}/index.ts`)
    .map(({ found, imported }) => `${found.from} imports ${found.specifier}; the door of ${imported} is index.ts`)
}

/** Cycles between the folders of one package, whatever the order says. */
export function folderCycles(sources: readonly Source[], order: FolderOrder): Finding[] {
  const graph = new Map<string, string[]>()
  for (const { importer, imported } of crossings(sources, order)) {
    const known = graph.get(importer) ?? []
    if (!known.includes(imported)) graph.set(importer, [...known, imported])
  }
  return cyclesIn(graph)
}

interface Crossing {
  readonly found: Import
  readonly importer: string
  readonly imported: string
}

/** Imports that lead from one folder of the package to another. The package's own door lies in none, and may enter all. */
function crossings(sources: readonly Source[], order: FolderOrder): Crossing[] {
  const src = `packages/${order.package}/src/`
  const folderOf = (path: string): string | undefined =>
    path.startsWith(src) && path.slice(src.length).includes('/') ? path.slice(src.length).split('/')[0] : undefined
  return sources
    .filter(({ path }) => isProduct(path) && path.startsWith(src))
    .flatMap(importsOf)
    .filter(({ specifier }) => isRelative(specifier))
    .flatMap((found) => {
      const [importer, imported] = [folderOf(found.from), folderOf(targetOf(found))]
      const isCrossing = importer !== undefined && imported !== undefined && importer !== imported
      return isCrossing ? [{ found, importer, imported }] : []
    })
}

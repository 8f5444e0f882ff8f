import { type Finding, isProduct, type Source, sourceAt } from '../sources.ts'
import { type Import, importsOf, isRelative, targetOf } from './imports.ts'
import { codeSpans, readTable } from './tables.ts'

/** Which package may import which, as ARCHITECTURE.md says. Keys and values are folder names under packages/. */
export type AllowedImports = ReadonlyMap<string, ReadonlySet<string>>

export function readAllowedImports(sources: readonly Source[]): AllowedImports {
  const table = readTable(sourceAt(sources, 'ARCHITECTURE.md').text, 'Which package may import which')
  return new Map(table.map(([name = '', mayImport = '']) => [codeSpans(name)[0] ?? '', new Set(codeSpans(mayImport))]))
}

/** Domain is pure: no package, no Node module, nothing outside its own folder. */
export function impureDomain(sources: readonly Source[]): Finding[] {
  return productImports(sources)
    .filter(({ from }) => from.startsWith('packages/domain/'))
    .filter(({ specifier }) => !isRelative(specifier))
    .map(({ from, specifier }) => `${from} imports ${specifier}; domain imports nothing`)
}

/** A package is entered by its door only: no path inside another package, relative or not. */
export function sideDoors(sources: readonly Source[]): Finding[] {
  return sources.flatMap(importsOf).flatMap((found) => {
    const { from, specifier } = found
    const own = workspaceOf(from)
    if (/^@seatwise\/[^/]+\//.test(specifier))
      return [`${from} imports ${specifier}; only @seatwise/… itself is a door`]
    const target = isRelative(specifier) ? workspaceOf(targetOf(found)) : own
    const leaves = target !== own && target !== undefined
    return leaves ? [`${from} reaches into ${target} by path; import @seatwise/… instead`] : []
  })
}

export function forbiddenImports(sources: readonly Source[], allowed: AllowedImports): Finding[] {
  return productImports(sources).flatMap(({ from, specifier }) => {
    const importer = folderOf(from)
    const imported = /^@seatwise\/(.+)$/.exec(specifier)?.[1]
    if (imported === undefined || allowed.get(importer)?.has(imported)) return []
    return [`${from} imports ${specifier}; ARCHITECTURE.md does not allow ${importer} → ${imported}`]
  })
}

/** Manifests may name only what the table allows, and the table only packages that exist. */
export function manifestsBesideTheTable(sources: readonly Source[], allowed: AllowedImports): Finding[] {
  return sources
    .filter(({ path }) => /^packages\/[^/]+\/package\.json$/.test(path))
    .flatMap(({ path, text }) => {
      const manifest = JSON.parse(text) as { dependencies?: Record<string, string> }
      const named = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@seatwise/'))
      const row = allowed.get(folderOf(path))
      if (row === undefined) return [`${path}: ARCHITECTURE.md has no row for this package`]
      return named
        .map((name) => name.slice('@seatwise/'.length))
        .filter((name) => !row.has(name))
        .map((name) => `${path} depends on ${name}; ARCHITECTURE.md does not allow it`)
    })
}

/** Cycles between packages in the table, each told once as the path that closes it. */
export function packageCycles(allowed: AllowedImports): Finding[] {
  return cyclesIn(new Map([...allowed].map(([name, imports]) => [name, [...imports]])))
}

/** Cycles between files of one package. */
export function fileCycles(sources: readonly Source[]): Finding[] {
  const graph = new Map<string, string[]>()
  for (const found of productImports(sources)) {
    if (found.isTypeOnly || !isRelative(found.specifier)) continue
    graph.set(found.from, [...(graph.get(found.from) ?? []), targetOf(found)])
  }
  return cyclesIn(graph)
}

export function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): Finding[] {
  const findings: Finding[] = []
  const done = new Set<string>()
  const visit = (node: string, path: readonly string[]): void => {
    const start = path.indexOf(node)
    if (start !== -1) findings.push(`a cycle: ${[...path.slice(start), node].join(' → ')}`)
    if (start !== -1 || done.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...path, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return findings
}

function productImports(sources: readonly Source[]): Import[] {
  return sources.filter(({ path }) => isProduct(path)).flatMap(importsOf)
}

/** The folder under packages/ that a path lies in. */
function folderOf(path: string): string {
  return path.split('/')[1] ?? ''
}

/** The workspace a path lies in, or undefined for the files of the root. The test bench has its tests beside it. */
function workspaceOf(path: string): string | undefined {
  if (path.startsWith('tests/bench-self/')) return 'tests/support'
  return /^(packages\/[^/]+|tests\/support)\//.exec(path)?.[1]
}

import { posix } from 'node:path'
import { type Finding, type Source, sourceAt } from '../sources.ts'
import { codeSpans, readTable } from './tables.ts'

interface Manifest {
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
  readonly exports?: Record<string, string>
  readonly bin?: Record<string, string>
}

/** A new npm package is a design change: each has its row, and no row outlives its package. */
export function unjustifiedPackages(sources: readonly Source[]): Finding[] {
  const table = readTable(sourceAt(sources, 'ARCHITECTURE.md').text, 'npm packages')
  const justified = new Map(table.map(([name = '', why = '']) => [codeSpans(name)[0] ?? '', why]))
  const used = new Set(manifests(sources).flatMap(({ manifest }) => outsidePackages(manifest)))
  return [
    ...[...used].filter((name) => !justified.has(name)).map((name) => `${name} has no row in ARCHITECTURE.md`),
    ...[...justified]
      .filter(([name]) => !used.has(name))
      .map(([name]) => `ARCHITECTURE.md justifies ${name}, which no package uses`),
    ...[...justified].filter(([, why]) => why === '').map(([name]) => `ARCHITECTURE.md does not say why ${name}`),
  ]
}

export function looseVersions(sources: readonly Source[]): Finding[] {
  return manifests(sources).flatMap(({ path, manifest }) =>
    Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${path}: ${name} is ${version}; pin one exact version`),
  )
}

/** One way into each package; the command has its bin instead. */
export function wrongDoors(sources: readonly Source[]): Finding[] {
  return manifests(sources)
    .filter(({ path }) => path !== 'package.json')
    .flatMap(({ path, manifest }) => {
      const doors = JSON.stringify(manifest.exports ?? {})
      const isFine =
        doors === '{".":"./src/index.ts"}' || (manifest.bin !== undefined && manifest.exports === undefined)
      return isFine ? [] : [`${path}: exports is ${doors}; the one door is ./src/index.ts`]
    })
}

/** Links and file names in the papers lead somewhere. */
export function deadReferences(papers: readonly Source[], exists: (path: string) => boolean): Finding[] {
  return papers.flatMap(({ path, text }) => {
    const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '')
    const links = [...prose.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map((match) =>
      posix.join(posix.dirname(path), match[1] ?? ''),
    )
    const names = codeSpans(prose).filter((span) =>
      /^(packages|tests|spec|docs|bench|scripts|\.ci)\/[\w./-]*$/.test(span),
    )
    return [...links, ...names]
      .filter((name) => !exists(name))
      .map((name) => `${path} mentions ${name}, which does not exist`)
  })
}

function manifests(sources: readonly Source[]): { path: string; manifest: Manifest }[] {
  return sources
    .filter(({ path }) => /^(|packages\/[^/]+\/|tests\/support\/)package\.json$/.test(path))
    .map(({ path, text }) => ({ path, manifest: JSON.parse(text) as Manifest }))
}

function outsidePackages(manifest: Manifest): string[] {
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    (name) => name !== 'seatwise' && !name.startsWith('@seatwise/'),
  )
}

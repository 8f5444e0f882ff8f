import { posix } from 'node:path'
import type { Finding, Source } from '../sources.ts'

/** Where readers start: pages of docs/ are found from these by links. */
const DOORS = ['README.md', 'docs/README.md']

/** Pages of docs/ that no chain of links from a door reaches. */
export function orphanPages(sources: readonly Source[]): Finding[] {
  const papers = new Map(sources.filter(({ path }) => path.endsWith('.md')).map(({ path, text }) => [path, text]))
  const reached = new Set<string>()
  const open = DOORS.filter((path) => papers.has(path))
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    open.push(...linksOf(path, papers.get(path) ?? '').filter((link) => papers.has(link)))
  }
  return [...papers.keys()]
    .filter((path) => path.startsWith('docs/') && !reached.has(path))
    .map((path) => `${path} is linked from no page that README.md leads to`)
}

/** Pictures in docs/screens that no page shows. */
export function unseenPictures(sources: readonly Source[], pictures: readonly string[]): Finding[] {
  const shown = new Set(
    sources.filter(({ path }) => path.endsWith('.md')).flatMap(({ path, text }) => linksOf(path, text)),
  )
  return pictures.filter((path) => !shown.has(path)).map((path) => `${path} is shown by no page`)
}

/** What git leaves in a file when a conflict was committed unresolved. */
export function mergeMarkers(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ text }) => /^((<{7}|>{7}) \S|={7}$)/m.test(text))
    .map(({ path }) => `${path} has a merge conflict that is not resolved`)
}

/** Packages of the workspace that disagree about the version, or ask for another one of each other. */
export function versionsThatDiffer(sources: readonly Source[]): Finding[] {
  const manifests = sources.filter(({ path }) =>
    /^(package|(packages\/[^/]+|tests\/support)\/package)\.json$/.test(path),
  )
  const wanted = versionsIn(manifests.find(({ path }) => path === 'package.json')?.text ?? '{}')[0]
  return manifests.flatMap(({ path, text }) =>
    versionsIn(text)
      .filter((version) => version !== wanted)
      .map((version) => `${path} says ${version}; the workspace is ${wanted}`),
  )
}

function versionsIn(text: string): string[] {
  const { version, dependencies, devDependencies } = JSON.parse(text) as Record<string, unknown>
  const own = Object.entries({ ...(dependencies as object), ...(devDependencies as object) })
    .filter(([name]) => name === 'seatwise' || name.startsWith('@seatwise/'))
    .map(([, wanted]) => String(wanted))
  return [String(version), ...own]
}

function linksOf(path: string, text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)]
  return links.map(([, target = '']) => posix.join(posix.dirname(path), target))
}

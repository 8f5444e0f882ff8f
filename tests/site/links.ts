import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const REPOSITORY = /^https:\/\/github\.com\/seatwise\/seatwise\/(?:blob|tree)\/v[^/]+\/([^#]*)/

export interface Links {
  /** How many were looked at. */
  readonly count: number
  /** Sentences about those that lead nowhere. */
  readonly broken: readonly string[]
  /** Files of other hosts that a page would load by itself. */
  readonly foreign: readonly string[]
}

/** Follows every link of every page, to the anchor; those into the repository to the file. */
export function followLinks(site: string, repository: string): Links {
  const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
  const anchors = new Map(pages.map((name) => [join(site, name), idsOf(readFileSync(join(site, name), 'utf8'))]))
  const broken: string[] = []
  const foreign: string[] = []
  let count = 0
  for (const [file, { html }] of anchors) {
    const told = (target: string): string => `${relative(site, file)} leads to ${target}`
    for (const [, kind = '', target = ''] of html.matchAll(/\s(href|src)="([^"]*)"/g)) {
      count++
      const [, path] = REPOSITORY.exec(target) ?? []
      if (path !== undefined && !existsSync(join(repository, path))) broken.push(told(target))
      if (kind === 'src' && /^(https?:)?\/\//.test(target)) foreign.push(told(target))
      if (/^[a-z]+:/.test(target)) continue
      const [name = '', anchor] = target.split('#', 2)
      const place = name === '' ? file : resolve(dirname(file), name)
      const page = anchors.get(place)
      if (page === undefined && !existsSync(place)) broken.push(told(target))
      if (anchor !== undefined && page !== undefined && !page.ids.has(anchor)) broken.push(told(target))
    }
    if (/@import|<link[^>]+href="https?:/.test(html)) foreign.push(told('a style sheet of another host'))
  }
  return { count, broken, foreign }
}

function idsOf(html: string): { html: string; ids: Set<string> } {
  return { html, ids: new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id)) }
}

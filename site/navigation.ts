import { posix } from 'node:path'
import { marked, type Token, type Tokens } from 'marked'
import type { Page } from './papers.ts'

export interface Group {
  readonly title: string
  readonly entries: readonly Entry[]
}

export interface Entry {
  readonly title: string
  readonly address: string
}

const INDEX = 'docs/README.md'

/** The contents in docs/README.md are those of the site: its headings are the groups, its links the pages. */
export function readNavigation(pages: readonly Page[]): Group[] {
  const index = pages.find(({ path }) => path === INDEX)
  if (index === undefined) throw new Error(`${INDEX} is not there`)
  const groups: { title: string; entries: Entry[] }[] = []
  for (const token of marked.lexer(index.text)) {
    if (token.type === 'heading' && token.depth === 2) groups.push({ title: token.text, entries: [] })
    if (token.type === 'list') groups.at(-1)?.entries.push(...entriesOf(token as Tokens.List, pages))
  }
  const generated = pages.filter(({ isGenerated }) => isGenerated)
  const entries = generated.map(({ text, address }) => ({ title: titleOf(text), address }))
  return [...groups, { title: 'From the code', entries }]
}

function entriesOf(list: Tokens.List, pages: readonly Page[]): Entry[] {
  return list.items.flatMap((item) =>
    linksIn(item.tokens).flatMap(({ href, text }) => {
      const path = posix.join(posix.dirname(INDEX), href.replace(/#.*/, ''))
      const page = pages.find((candidate) => candidate.path === path)
      return page === undefined ? [] : [{ title: text, address: page.address }]
    }),
  )
}

function linksIn(tokens: readonly Token[]): Tokens.Link[] {
  return tokens.flatMap((token) =>
    token.type === 'link' ? [token as Tokens.Link] : 'tokens' in token ? linksIn(token.tokens ?? []) : [],
  )
}

export function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? 'Seatwise'
}

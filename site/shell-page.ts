import { posix } from 'node:path'
import { escapeHtml } from './escape-html.ts'
import type { Entry, Group } from './navigation.ts'
import { REPOSITORY, VERSION } from './papers.ts'
import type { RenderedPage } from './render-page.ts'

/** A whole page. It works without script: search, the menu of versions and the calculator are what script adds. */
export function shellPage(page: RenderedPage, navigation: readonly Group[]): string {
  const to = (address: string): string => posix.relative(posix.dirname(page.address), address) || page.address
  const top = posix.relative(posix.dirname(page.address), '.') || '.'
  return `<!doctype html>
<html lang="en" data-top="${top}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Seatwise ${VERSION}</title>
<link rel="stylesheet" href="${to('style.css')}">
<script>document.documentElement.dataset.theme = localStorage.getItem('theme') ?? ''</script>
<script src="${to('../versions.js')}" defer></script>
<script src="${to('figures.js')}" defer></script>
<script src="${to('site.js')}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="${to('index.html')}">Seatwise</a>
<span id="versions" class="versions">${VERSION}</span>
<div class="search" role="search">
<input id="search" type="search" placeholder="Search  /" aria-label="Search the documentation" autocomplete="off" hidden>
<div id="results" class="results" hidden></div>
</div>
<button id="theme" type="button" hidden aria-label="Light or dark">◐</button>
</header>
<div class="columns">
<nav aria-label="Documentation"><details open><summary>Contents</summary>
${navigation.map((group) => groupOf(group, page, to)).join('\n')}
</details></nav>
<main id="content">
${page.html}
${footerOf(
  page,
  navigation.flatMap(({ entries }) => entries),
  to,
)}
</main>
${outlineOf(page)}
</div>
</body>
</html>
`
}

function groupOf({ title, entries }: Group, page: RenderedPage, to: (address: string) => string): string {
  const links = entries.map(({ title, address }) => {
    const here = address === page.address ? ' aria-current="page"' : ''
    return `<li><a href="${to(address)}"${here}>${escapeHtml(title)}</a></li>`
  })
  return `<h2>${escapeHtml(title)}</h2><ul>${links.join('')}</ul>`
}

function footerOf(page: RenderedPage, entries: readonly Entry[], to: (address: string) => string): string {
  const index = entries.findIndex(({ address }) => address === page.address)
  const [before, after] = index === -1 ? [] : [entries[index - 1], entries[index + 1]]
  const link = (entry: Entry | undefined, mark: string): string =>
    entry === undefined ? '<span></span>' : `<a href="${to(entry.address)}">${mark} ${escapeHtml(entry.title)}</a>`
  const source = page.isGenerated ? '' : `<a href="${REPOSITORY}/${page.path}">Source of this page</a>`
  return `<footer>${link(before, '←')}${source}${link(after, '→')}</footer>`
}

function outlineOf({ headings }: RenderedPage): string {
  const parts = headings.filter(({ depth }) => depth === 2 || depth === 3)
  if (parts.length < 2) return '<aside></aside>'
  const links = parts.map(
    ({ depth, id, text }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  )
  return `<aside aria-label="On this page"><h2>On this page</h2><ul>${links.join('')}</ul></aside>`
}

/*
 * npm run docs [-- --out DIR --serve [PORT]]
 *
 * Makes the documentation site from docs/ and the papers beside it. Each version has a folder of its own; the versions that are
 * there already stay, and the menu of every page lists all of them. The site needs no server: it can be opened from a disk.
 */
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleBrowser } from './bundle-browser.ts'
import { readNavigation } from './navigation.ts'
import { figuresIn, type Page, readPapers, root, VERSION } from './papers.ts'
import { askServer } from './reference/ask-server.ts'
import { commandsPage } from './reference/commands.ts'
import { metricsPage } from './reference/metrics.ts'
import { routesPage } from './reference/routes.ts'
import { renderPage } from './render-page.ts'
import { searchIndex } from './search-index.ts'
import { serveSite } from './serve-site.ts'
import { shellPage } from './shell-page.ts'

const { values, positionals } = parseArgs({
  options: { out: { type: 'string', default: 'site/dist' }, serve: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const out = resolve(root, values.out)
const startedAt = performance.now()
await buildSite(out)
console.log(`Built the documentation of ${VERSION} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s:`)
console.log(`  ${relative(root, join(out, 'index.html'))}`)
if (values.serve) await serveSite(out, Number(positionals[0] ?? 4400))

async function buildSite(out: string): Promise<void> {
  const folder = join(out, VERSION)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const generated = await generatedPages()
  const papers = readPapers()
  const pages = [...papers, ...generated]
  const navigation = readNavigation(pages)
  const rendered = pages.map((page) => renderPage(page, pages))
  for (const page of rendered) {
    const target = join(folder, page.address)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, shellPage(page, navigation))
  }
  cpSync(join(root, 'docs/screens'), join(folder, 'screens'), { recursive: true })
  copyFileSync(join(import.meta.dirname, 'style.css'), join(folder, 'style.css'))
  writeFileSync(join(folder, 'site.js'), await bundleBrowser())
  writeFileSync(join(folder, 'search-index.js'), `window.seatwiseIndex = ${JSON.stringify(searchIndex(rendered))}\n`)
  writeFileSync(join(folder, 'figures.js'), `window.seatwiseFigures = ${JSON.stringify(figuresIn(papers))}\n`)
  writeVersions(out)
}

/** What is told by the code itself: each command of its options, a server of its routes and measurements. */
async function generatedPages(): Promise<Page[]> {
  const [commands, { routes, metrics }] = await Promise.all([commandsPage(), askServer()])
  return [commands, routesPage(routes), metricsPage(metrics)]
}

function writeVersions(out: string): void {
  const versions = readdirSync(out)
    .filter((name) => existsSync(join(out, name, 'index.html')))
    .toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }))
  const [newest = VERSION] = versions
  writeFileSync(join(out, 'versions.js'), `window.seatwiseVersions = ${JSON.stringify(versions)}\n`)
  const lead = `<!doctype html><meta charset="utf-8"><title>Seatwise</title><meta http-equiv="refresh" content="0; url=${newest}/index.html">`
  writeFileSync(join(out, 'index.html'), `${lead}<a href="${newest}/index.html">Seatwise ${newest}</a>\n`)
}

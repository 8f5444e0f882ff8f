import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
/** Of the documentation: patches of a version share it. */
export const VERSION = manifest.version.split('.').slice(0, 2).join('.')
/** Where files of the repository are that are no pages. */
export const REPOSITORY = `https://github.com/seatwise/seatwise/blob/v${manifest.version}`

export interface Page {
  /** In the repository; of a generated page, where its links start from. */
  readonly path: string
  /** In the site. */
  readonly address: string
  readonly text: string
  readonly isGenerated: boolean
}

const PAPERS = [
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/METHOD.md',
  'bench/RESULTS.md',
]

/** Everything that people read, once: the site has no words of its own. */
export function readPapers(): Page[] {
  const under = (folder: string): string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
      .map((name) => `${folder}/${name}`)
  return [...PAPERS, ...under('docs'), ...under('spec'), ...under('examples')].toSorted().map((path) => ({
    path,
    address: addressOf(path),
    text: readFileSync(join(root, path), 'utf8'),
    isGenerated: false,
  }))
}

/** docs/guides/sre.md becomes guides/sre.html, and a README the index of its folder. */
function addressOf(path: string): string {
  return path
    .replace(/^docs\//, '')
    .replace(/README\.md$/, 'index.html')
    .replace(/\.md$/, '.html')
    .toLowerCase()
}

export function generatedPage(name: string, text: string): Page {
  return { path: `docs/reference/${name}.md`, address: `reference/${name}.html`, text, isGenerated: true }
}

/** The measured figures that the papers name, by the cell that they come from. */
export function figuresIn(papers: readonly Page[]): Record<string, number> {
  const figures: Record<string, number> = {}
  for (const { text } of papers) {
    for (const [, cell = '', figure = ''] of text.matchAll(/<!--= (.+?) -->(.*?)<!--\/-->/g)) {
      const value = Number(figure.replaceAll(',', '').replace(/\/s$/, ''))
      if (Number.isFinite(value)) figures[cell] = value
    }
  }
  return figures
}

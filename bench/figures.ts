import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withFiguresOf } from '../tests/tidy/rules/figures.ts'

/*
 * node bench/figures.ts
 *
 * Writes the figures of RESULTS.md into the marks of README.md, ARCHITECTURE.md and docs/.
 */

const root = join(import.meta.dirname, '..')
const results = readFileSync(join(root, 'bench/RESULTS.md'), 'utf8')
const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name))
const papers = ['README.md', 'ARCHITECTURE.md', ...docs].filter((path) => path.endsWith('.md'))
for (const path of papers) {
  const text = readFileSync(join(root, path), 'utf8')
  const { text: written, missing } = withFiguresOf(results, text)
  if (written !== text) writeFileSync(join(root, path), written)
  for (const mark of missing) {
    console.error(`${path}: bench/RESULTS.md has no figure for ${mark}`)
    process.exitCode = 1
  }
}

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'

const FILE = new URL('../RESULTS.md', import.meta.url)
/** What else the machine did when the program began. */
const LOAD_BEFORE = loadavg()[0] ?? 0
const HEADING = `# Measurements

Written by the programs beside this file, as [METHOD.md](METHOD.md) says. \`npm run bench\` measures the core table, and
\`npm run bench -- all\` every section at one commit; each section names the commit that it measured.
`

/** Read before anything is measured: the checkout may move on in the meantime. */
const COMMIT = commit()

// A program that takes too long is told to end; servers and stores that it started end with it only if it exits itself.
process.once('SIGTERM', () => process.exit(143))

/** Replaces the section of this name, or adds it. */
export function writeSection(name: string, lines: readonly string[]): void {
  const sections = readSections()
  sections.set(name, [`Commit ${COMMIT}, ${today()}, on ${machine()}.`, '', ...lines].join('\n'))
  const text = [...sections].map(([title, body]) => `\n## ${title}\n\n${body.trim()}\n`)
  writeFileSync(FILE, HEADING + text.join(''))
}

function readSections(): Map<string, string> {
  const sections = new Map<string, string>()
  for (const part of readText().split(/^## /m).slice(1)) {
    const [title = '', ...body] = part.split('\n')
    sections.set(title, body.join('\n'))
  }
  return sections
}

function readText(): string {
  try {
    return readFileSync(FILE, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

const today = (): string => new Date().toISOString().slice(0, 10)

function machine(): string {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${memory} GB, Node ${process.version}; load average before: ${LOAD_BEFORE.toFixed(1)}`
}

/** What was measured: the commit, and whether the product or the bench differed from it. */
function commit(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' })
  const changed = git(
    'status',
    '--porcelain',
    '--',
    ':/packages',
    ':/bench',
    ':!/bench/RESULTS.md',
    ':/package-lock.json',
  )
  return git('rev-parse', '--short=12', 'HEAD').trim() + (changed === '' ? '' : ' with uncommitted changes')
}

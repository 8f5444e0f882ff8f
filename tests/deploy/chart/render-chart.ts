import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const CHART = join(import.meta.dirname, '../../../deploy/helm')
const GO_LIBRARIES = '/usr/share/gocode'
export const CASES = ['plain', 'full'] as const
export type Case = (typeof CASES)[number]

export const valuesFile = (name: Case): string => join(import.meta.dirname, `${name}.values.yaml`)
export const renderedFile = (name: Case): string => join(import.meta.dirname, `${name}.rendered.yaml`)

/** The first line of a rendering: what it was made of. */
export function sourceLine(name: Case): string {
  const files = [...globSync(`${CHART}/**/*.{yaml,tpl,json}`).toSorted(), valuesFile(name)]
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file.slice(CHART.length)}\n${readFileSync(file, 'utf8')}\n`)
  return `# Made by tests/deploy/chart/render-chart.ts of sources with the hash ${hash.digest('hex').slice(0, 16)}`
}

/**
 * The objects of the chart as YAML: by Helm where it is installed, else by Go's template engine with Helm's functions (Debian:
 * golang-go, golang-github-masterminds-sprig-dev, golang-github-ghodss-yaml-dev).
 */
export function renderChart(values: string): string {
  const options = { encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 24 } as const
  const isHere = (program: string) =>
    (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
  if (isHere('helm')) {
    const args = ['template', 'sale', CHART, '--namespace', 'tickets', '--values', values, '--no-hooks=false']
    return execFileSync('helm', args, options)
  }
  if (!isHere('go') || !existsSync(join(GO_LIBRARIES, 'src/github.com/Masterminds/sprig'))) {
    throw new Error(
      'Install Helm, or on Debian: golang-go golang-github-masterminds-sprig-dev golang-github-ghodss-yaml-dev',
    )
  }
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: GO_LIBRARIES, GOFLAGS: '' }
  return execFileSync('go', ['run', join(import.meta.dirname, 'render.go'), CHART, values], { ...options, env })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const name of CASES) writeFileSync(renderedFile(name), `${sourceLine(name)}\n${renderChart(valuesFile(name))}`)
}

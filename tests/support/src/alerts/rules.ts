import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { evaluate, type Scrape } from './evaluate.ts'

const FILE = join(import.meta.dirname, '../../../../deploy/prometheus/alerts.yml')

interface Rule {
  readonly name: string
  readonly expression: string
  /** How long the expression must hold before the alert fires. */
  readonly holdSeconds: number
}

/** The published rules, as they stand in the file that operators copy. */
function alertRules(): Rule[] {
  const blocks = readFileSync(FILE, 'utf8')
    .split(/^ +- alert: /m)
    .slice(1)
  return blocks.map((block) => {
    const [, minutes = '0'] = /^ +for: (\d+)m$/m.exec(block) ?? []
    const [, expression = ''] = /^ +expr: (.+)$/m.exec(block) ?? []
    return { name: block.split('\n', 1)[0]?.trim() ?? '', expression, holdSeconds: Number(minutes) * 60 }
  })
}

/**
 * The alerts that Prometheus would fire at the last scrape: those whose expression holds at every scrape as far back as they
 * have to hold. The scrapes are real; their times are the test's, so that nothing waits for minutes.
 */
export function firingAlerts(scrapes: readonly Scrape[]): string[] {
  const end = scrapes.at(-1)?.atSeconds ?? 0
  return alertRules()
    .filter(({ expression, holdSeconds }) => {
      const since = scrapes.findLastIndex(({ atSeconds }) => atSeconds <= end - holdSeconds)
      if (since === -1) return false
      return scrapes.slice(since).every((_, index) => evaluate(expression, scrapes.slice(0, since + index + 1)))
    })
    .map(({ name }) => name)
    .toSorted()
}

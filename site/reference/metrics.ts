import { generatedPage, type Page } from '../papers.ts'

const HELP = /^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm

/** Every measurement of a server with what it says of it. */
export function metricsPage(text: string): Page {
  const rows = [...text.matchAll(HELP)]
    .map(([, name = '', help = '', type = '']) => `| \`${name}\` | ${type} | ${help.replaceAll('|', '\\|')} |`)
    .toSorted()
  const lead =
    'What a server measures, at `/metrics` in the format of Prometheus, for the local network only. Those of PostgreSQL’s pool and of Redis appear where they are used. [Monitoring](../monitoring.md) has dashboards and alerts.'
  return generatedPage(
    'metrics',
    `# Metrics\n\n${lead}\n\n| metric | kind | measures |\n| --- | --- | --- |\n${rows.join('\n')}\n`,
  )
}

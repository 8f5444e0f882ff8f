import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const SCRIPTS = new URL('../../lua/', import.meta.url)
const SPEC = new URL('../../../../spec/', import.meta.url)
const SECTIONS = ['Keys', 'Args', 'Returns', 'Log', 'Rules']

test('[L53] every script states its keys, arguments, reply, log entries and rules, and the rules exist', () => {
  const rules = [...textOf(SPEC, 'line.md', 'admission.md', 'fair-start.md').matchAll(/^- \*\*([JLM]\d+)\*\*/gm)].map(
    ([, rule]) => rule,
  )
  const scripts = readdirSync(SCRIPTS, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.lua') && !file.startsWith('includes'),
  )
  expect(scripts.length).toBeGreaterThan(20)
  const problems = scripts.flatMap((script) => {
    const header = /^--\[\[\n(.*?)^\]\]/ms.exec(textOf(SCRIPTS, script))?.[1] ?? ''
    const named = header.slice(header.indexOf('  Rules ')).match(/\b[JLM]\d+\b/g) ?? []
    return [
      ...SECTIONS.filter((section) => !header.includes(`\n  ${section} `)).map((section) => `${script}: no ${section}`),
      ...(named.length === 0 ? [`${script}: no rule`] : []),
      ...named.filter((rule) => !rules.includes(rule)).map((rule) => `${script}: ${rule} is no rule`),
    ]
  })
  expect(problems).toEqual([])
})

function textOf(folder: URL, ...files: readonly string[]): string {
  return files.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n')
}

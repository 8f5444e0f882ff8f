import { type Finding, isProduct, type Source, sourceAt } from '../sources.ts'
import { codeSpans } from './tables.ts'

const PAPER = 'docs/bounds.md'
const CONSTANT = /^[A-Z][A-Z0-9_]+$/
const STATED_NUMBER = /`([A-Z][A-Z0-9_]+)` ([\d,]*\d)/g

interface Row {
  readonly what: string
  readonly bound: string
  readonly where: string
  readonly metric: string
}

export function boundsIn(sources: readonly Source[]): Row[] {
  return sourceAt(sources, PAPER)
    .text.split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| what ') && !line.startsWith('| --- '))
    .map((line) => {
      const [what = '', bound = '', where = '', metric = ''] = line.slice(2, -2).split(' | ')
      return { what, bound, where: codeSpans(where)[0] ?? '', metric }
    })
}

/** A constant that is not where the page says, or has another value. */
export function boundsBesideTheirCode(sources: readonly Source[]): Finding[] {
  return boundsIn(sources).flatMap(({ what, bound, where }) => {
    const text = sources.find(({ path }) => path === where)?.text
    if (text === undefined) return [`${PAPER}: ${what}: there is no file ${where}`]
    const missing = codeSpans(bound).filter((name) => CONSTANT.test(name) && !text.includes(`const ${name}`))
    const wrong = [...bound.matchAll(STATED_NUMBER)].filter(
      ([, name, number]) => !text.includes(`${name} = ${number?.replaceAll(',', '_')}`),
    )
    return [
      ...missing.map((name) => `${PAPER}: ${what}: ${where} has no ${name}`),
      ...wrong.map(([, name, number]) => `${PAPER}: ${what}: ${name} is not ${number} in ${where}`),
    ]
  })
}

/** A metric that nothing in the product measures. What Node.js itself measures has a name of its own. */
export function boundsWithoutMetric(sources: readonly Source[]): Finding[] {
  const product = sources.filter(({ path }) => isProduct(path)).map(({ text }) => text)
  const isMeasured = (metric: string): boolean =>
    metric.startsWith('nodejs_') ||
    product.some((text) => text.includes(`'${metric}'`) || new RegExp(`\\b${metric}: (\\(\\) =>|sumOf)`).test(text))
  return boundsIn(sources).flatMap(({ what, metric }) => {
    const names = codeSpans(metric)
    if (names.length === 0) return [`${PAPER}: ${what}: names no metric`]
    return names.filter((name) => !isMeasured(name)).map((name) => `${PAPER}: ${what}: nothing measures ${name}`)
  })
}

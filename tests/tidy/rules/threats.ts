import type { Finding, Source } from '../sources.ts'
import { sourceAt } from '../sources.ts'
import { titlesIn } from './specification.ts'
import { codeSpans, readTable } from './tables.ts'

const PAPER = 'docs/threats.md'
const HEADING = 'What is defended'
/** The attackers; each of them needs a row. */
const ATTACKERS = ['visitor', 'bot', 'buyer', 'organiser of another house', 'staff', 'network']

export function threatsIn(sources: readonly Source[]): string[][] {
  return readTable(sourceAt(sources, PAPER).text, HEADING)
}

/** Rows that name no test, or one that is not in the file they say; and attackers without a row. */
export function undefendedThreats(sources: readonly Source[]): Finding[] {
  const titles = titlesIn(sources)
  const rows = threatsIn(sources)
  const unshown = rows.flatMap(([who = '', wants = '', stops = '', test = '']) => {
    const name = `${PAPER}: ${who}: ${wants}`
    const [title = '', file = ''] = codeSpans(test)
    if (!ATTACKERS.includes(who)) return [`${name}: is about none of ${ATTACKERS.join(', ')}`]
    if (wants === '' || stops === '') return [`${name}: has an empty cell`]
    if (title === '' || file === '') return [`${name}: names no test as \`[A1] …\` in \`file\``]
    const isThere = titles.some((known) => known.path === file && known.title.startsWith(title))
    return isThere ? [] : [`${name}: ${file} has no test "${title}…"`]
  })
  const missing = ATTACKERS.filter((attacker) => !rows.some(([who]) => who === attacker))
  return [...unshown, ...missing.map((attacker) => `${PAPER}: nothing is said about: ${attacker}`)]
}

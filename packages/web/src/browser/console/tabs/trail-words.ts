import type { Word } from '../../../words/say.ts'
import type { TrailEntry } from '../kit/answers.ts'
import { formatCount, formatInstant, formatMoney } from '../kit/format.ts'
import { tell, words } from '../kit/page.ts'

const FIELDS: Readonly<Record<string, Word>> = { ...words.settings, ...words.edit, ...words.trail.fields }
const KINDS: Readonly<Record<string, string>> = words.trail.kinds

/** One entry of the audit trail as a sentence. */
export function describeAction({ kind, subject, before, after }: TrailEntry): string {
  const { amount, currency } = after
  const money = typeof amount === 'number' && typeof currency === 'string' ? formatMoney(amount, currency) : ''
  return tell(KINDS[kind] ?? kind, { subject: subject ?? '', values: describeValues(before, after), amount: money })
}

/** "people a minute 600 → 900, paused no → yes". */
function describeValues(before: Record<string, unknown>, after: Record<string, unknown>): string {
  return Object.entries(after)
    .map(([name, value]) => {
      const label = tell(FIELDS[name] ?? name)
      if (!(name in before)) return `${label} ${describeValue(value)}`
      return `${label} ${tell(words.controls.change, { before: describeValue(before[name]), after: describeValue(value) })}`
    })
    .join(', ')
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return words.trail.nothing
  if (typeof value === 'boolean') return value ? words.trail.yes : words.trail.no
  if (typeof value === 'number') return formatCount(value)
  if (typeof value !== 'string') return Array.isArray(value) ? formatCount(value.length) : '…'
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formatInstant(value)
  return `“${value}”`
}

import type { Defect, NamedTest } from './defect.ts'
import type { Outcome } from './run-tests.ts'

/** What became of one planted defect. */
export interface Verdict {
  readonly name: string
  readonly result: 'caught' | 'missed'
  /** The title of a named test that failed, or why that cannot be said. */
  readonly why: string
  readonly seconds: number
}

/**
 * A defect is caught when a named test fails. A file that cannot be loaded, or a set-up that fails, is no such test: every
 * typing error would be caught by that.
 */
export function judge(defect: Defect, outcomes: readonly Outcome[], seconds: number): Verdict {
  const named = outcomes.filter((outcome) => defect.caughtBy.some((test) => isOutcomeOf(test, outcome)))
  const failed = named.find(({ status }) => status === 'failed')
  if (failed !== undefined) return { name: defect.name, result: 'caught', why: failed.title, seconds }
  const passed = named.filter(({ status }) => status === 'passed').length
  const why = `${passed} of ${named.length} named tests passed and none failed`
  return { name: defect.name, result: 'missed', why, seconds }
}

/** Named tests that did not pass in a tree without defects: what they say about a defect means nothing. */
export function unsound(tests: readonly NamedTest[], outcomes: readonly Outcome[]): string[] {
  return tests.flatMap((test) => {
    const own = outcomes.filter((outcome) => isOutcomeOf(test, outcome))
    if (!own.some(({ status }) => status === 'passed')) return [`${test.file}: no test "${test.title}…" passed`]
    return own
      .filter(({ status }) => status === 'failed')
      .map(({ title, status }) => `${test.file}: "${title}" ${status} without any defect`)
  })
}

export function formatTable(verdicts: readonly Verdict[]): string {
  const width = Math.max(...verdicts.map(({ name }) => name.length))
  const caught = verdicts.filter(({ result }) => result === 'caught').length
  const rows = verdicts.map(
    ({ name, result, seconds, why }) => `${name.padEnd(width)}  ${result}  ${seconds.toFixed(1).padStart(6)} s  ${why}`,
  )
  return [...rows, `${caught} of ${verdicts.length} planted defects were caught`].join('\n')
}

const isOutcomeOf = (test: NamedTest, { file, title }: Outcome): boolean =>
  file === test.file && title.startsWith(test.title)

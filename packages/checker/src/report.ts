import type { Verdict } from './check.ts'
import { CLIENTS, type Report } from './check-records.ts'

const VIOLATIONS_SHOWN_MAX = 3
/** Shown for a vacuous check: no record could have violated it. */
const WORDS = { held: 'held', violated: 'violated', vacuous: 'not checked' } as const

/** One line for each invariant; below a violated one, the first violations with their records. */
export function formatReport(report: Report): string {
  const faults = Object.entries(report.faults).map(([fault, count]) => `${count} × ${fault}`)
  const lines = [`${report.recordCount} records, faults: ${faults.join(', ') || 'none'}`]
  for (const { id, name, verdict } of report.invariants) {
    lines.push(`${id.padEnd(4)} ${WORDS[verdict.status].padEnd(11)} ${name} (${describe(verdict)})`)
    if (verdict.status === 'violated') {
      for (const { message, records } of verdict.violations.slice(0, VIOLATIONS_SHOWN_MAX)) {
        lines.push(`       ${message}`, ...records.map((record) => `         ${JSON.stringify(record)}`))
      }
    }
  }
  return lines.join('\n')
}

/** True when no invariant was violated. Vacuous checks prove nothing, but are no violation either. */
export function isSound(report: Report): boolean {
  return report.invariants.every(({ verdict }) => verdict.status !== 'violated')
}

function describe(verdict: Verdict): string {
  const counts = Object.entries(verdict.counts).map(([what, count]) => `${count} ${what}`)
  if (verdict.status === 'violated') counts.unshift(`${verdict.violationCount} violations`)
  if (verdict.status === 'vacuous')
    counts.unshift(verdict.missing === CLIENTS ? 'needs client records' : `no ${verdict.missing}`)
  return counts.join(', ')
}

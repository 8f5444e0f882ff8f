import type { CheckedInvariant, Verdict } from '@seatwise/checker'
import { escapeHtml } from './escape-html.ts'

const VIOLATIONS_SHOWN_MAX = 5

/** Every invariant with its verdict and what was counted; below a broken one, the facts that break it. */
export function invariantTable(invariants: readonly CheckedInvariant[]): string {
  const rows = invariants.map(
    ({ id, name, verdict }) =>
      `<tr><td>${id}</td><td class="${verdict.status}">${WORDS[verdict.status]}</td><td>${escapeHtml(name)}${facts(verdict)}</td><td class="quiet">${escapeHtml(counts(verdict))}</td></tr>`,
  )
  const head = '<thead><tr><th>rule</th><th>verdict</th><th>what must hold</th><th>put to the test by</th></tr></thead>'
  return `<div class="table"><table><caption>Every invariant</caption>${head}<tbody>${rows.join('')}</tbody></table></div>`
}

const WORDS = { held: '✓ held', violated: '✗ violated', vacuous: '· not checked' } as const

function counts(verdict: Verdict): string {
  const counted = Object.entries(verdict.counts).map(([what, times]) => `${times.toLocaleString('en')} ${what}`)
  return [...(verdict.status === 'vacuous' ? [`no ${verdict.missing}`] : []), ...counted].join(', ')
}

function facts(verdict: Verdict): string {
  if (verdict.status !== 'violated') return ''
  const shown = verdict.violations.slice(0, VIOLATIONS_SHOWN_MAX).map(({ message, records }) => {
    const lines = records.map((record) => `<br><code>${escapeHtml(JSON.stringify(record))}</code>`)
    return `<li>${escapeHtml(message)}${lines.join('')}</li>`
  })
  return `<ul>${shown.join('')}</ul>${verdict.violationCount.toLocaleString('en')} times in all`
}

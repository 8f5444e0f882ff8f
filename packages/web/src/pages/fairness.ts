import type { LineFairness, Waits } from '@seatwise/domain'
import { type Html, html } from '../html.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { WORDS } from '../words/index.ts'
import { formatNumber, say } from '../words/say.ts'
import { refused } from './audit.ts'
import { shortTimeTag } from './time-tag.ts'

/** The figures that the page shows, as the API answers them. */
export interface ShownFairness extends LineFairness {
  readonly draw: { readonly mode: 'commit' | 'drand'; readonly count: number | null; readonly redraws: number } | null
  readonly networks: readonly NetworksShown[] | null
  /** Reports of before 0.2 tell none. */
  readonly refusals?: readonly { readonly reason: string; readonly count: number }[]
  readonly final: boolean
}

interface NetworksShown {
  readonly ticketsMin: number
  readonly ticketsMax: number
  readonly networks: number
  readonly tickets: number
  readonly admitted: number
}

export interface FairnessFacts {
  readonly kind: 'event' | 'room'
  readonly id: string
  readonly name: string
  readonly organizationId: string
  /** Null while it is not public. */
  readonly report: ShownFairness | null
}

/** How fair a sale was. Complete without a script, so that it can be saved and shared. */
export function fairnessPage(language: Language, { kind, id, name, organizationId, report }: FairnessFacts): Page {
  const words = WORDS[language].fairness
  return {
    title: `${words.title} – ${name}`,
    styles: ['shop'],
    body: html`<article class="narrow stack">
<h1>${words.title}</h1>
<p><a href="/${kind}s/${id}${kind === 'room' ? '/wait' : ''}">${name}</a></p>
${report === null ? html`<p class="lead">${words.notYet}</p>` : figures(language, report)}
<ul>
<li><a href="/${kind}s/${id}/audit">${words.check}</a></li>
${report === null ? null : html`<li><a href="/api/${kind}s/${id}/fairness">${words.json}</a></li>`}
<li><a href="/organizations/${organizationId}/fairness">${words.past}</a></li>
</ul>
<p class="quiet">${words.limits}</p>
</article>`,
  }
}

function figures(language: Language, report: ShownFairness): Html {
  const words = WORDS[language].fairness
  const { capacityOvershoot: capacity, rateOvershoot: rate, wait, waitFromOpening, eta, prices } = report
  const number = (value: number) => formatNumber(language, value)
  const share = (value: number | null) => (value === null ? null : percent(language, value))
  const time = (value: number | null) =>
    value === null ? null : say(language, words.seconds, { count: Math.round(value * 10) / 10 })
  const waits = ({ p50, p90, p99 }: Waits) => [
    [words.half, time(p50)] as const,
    [words.most, time(p90)] as const,
    [words.nearlyAll, time(p99)] as const,
  ]
  return html`<p class="lead">${orderOf(language, report)}</p>
<p>${capacity + rate === 0 ? words.limitsKept : say(language, words.limitsBroken, { capacity, rate })}</p>
<p class="notice">${report.final ? words.final : words.provisional}</p>
${table(words.theLine, [
  [words.joined, number(report.joined)],
  [words.admitted, number(report.admitted)],
  [words.completed, number(report.completed)],
  [words.noShows, number(report.noShows)],
  [words.left, number(report.left)],
  [words.joinsMax, number(report.joinsPerSecondMax)],
  [words.tau, report.kendallTau === null ? null : number(Math.round(report.kendallTau * 10_000) / 10_000)],
])}
${drawOf(language, report.draw)}
${table(words.waits, waits(wait))}
${waitFromOpening === null ? null : table(words.fromOpening, waits(waitFromOpening))}
${table(words.told, [
  [words.known, share(eta.known)],
  [words.error, share(eta.medianError)],
  [words.coverage, share(eta.p90Coverage)],
])}
${networksOf(language, report.networks)}
${report.refusals === undefined ? null : refused(language, report.refusals)}
${prices === null ? null : html`<h2>${words.prices}</h2><p>${words.pricesHash}<br><code class="hash">${prices.hash}</code></p>`}`
}

function orderOf(
  language: Language,
  { admitted, inversions: count, inversionsOfPresent: present }: ShownFairness,
): string {
  const words = WORDS[language].fairness
  if (admitted === 0) return words.noneAdmitted
  if (count === 0) return words.byPlace
  return say(language, words.mostlyByPlace, { pairs: (admitted * (admitted - 1)) / 2, count, present })
}

function drawOf(language: Language, draw: ShownFairness['draw']): Html | null {
  if (draw === null || draw.count === null) return null
  const words = WORDS[language].fairness
  const { mode, count, redraws } = draw
  return html`<h2>${words.draw}</h2>
<p>${say(language, mode === 'drand' ? words.drawn : words.drawnBySecret, { count })}</p>
${mode === 'drand' ? null : html`<p>${words.secretLimit}</p>`}
${redraws === 0 ? null : html`<p>${words.redraws}: ${formatNumber(language, redraws)}</p>`}`
}

function networksOf(language: Language, groups: readonly NetworksShown[] | null): Html | null {
  if (groups === null || groups.length === 0) return null
  const words = WORDS[language].fairness
  const rows = groups.map(({ ticketsMin: from, ticketsMax: to, networks, tickets, admitted }) => {
    const name = from === to ? formatNumber(language, from) : say(language, words.range, { from, to })
    const cells = [networks, tickets, admitted].map(
      (count) => html`<td class="number">${formatNumber(language, count)}</td>`,
    )
    return html`<tr><th scope="row">${name}</th>${cells}</tr>`
  })
  return html`<h2>${words.networks}</h2><p>${words.networksLead}</p>
<table class="prices"><thead><tr><th scope="col">${words.perNetwork}</th><th scope="col" class="number">${words.networkCount}</th>
<th scope="col" class="number">${words.tickets}</th><th scope="col" class="number">${words.admitted}</th></tr></thead><tbody>${rows}</tbody></table>`
}

/** Rows without a value are left out, and so is a table without rows. */
function table(title: string, rows: readonly (readonly [string, string | null])[]): Html | null {
  const told = rows.filter(([, value]) => value !== null)
  if (told.length === 0) return null
  return html`<h2>${title}</h2>
<table class="prices"><tbody>${told.map(([name, value]) => html`<tr><th scope="row">${name}</th><td class="number">${value}</td></tr>`)}</tbody></table>`
}

function percent(language: Language, share: number): string {
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(share)
}

export interface PastSale {
  readonly eventId: string
  readonly name: string
  readonly closedAt: Date
  readonly joined: number
  readonly admitted: number
  readonly inversions: number
}

export interface PastSalesFacts {
  readonly organizationId: string
  readonly sales: readonly PastSale[]
  readonly nextCursor: string | null
}

/** The reports of an organizer's past sales. */
export function pastSalesPage(language: Language, { organizationId, sales, nextCursor }: PastSalesFacts): Page {
  const words = WORDS[language].fairness
  const rows = sales.map(
    ({ eventId, name, closedAt, joined, admitted, inversions }) => html`<tr>
<th scope="row"><a href="/events/${eventId}/fairness">${name}</a><br><span class="quiet small">${shortTimeTag(language, closedAt, 'UTC')}</span></th>
${[joined, admitted, inversions].map((count) => html`<td class="number">${formatNumber(language, count)}</td>`)}</tr>`,
  )
  const next = `/organizations/${organizationId}/fairness?cursor=${encodeURIComponent(nextCursor ?? '')}`
  return {
    title: words.past,
    styles: ['shop'],
    body: html`<article class="narrow stack"><h1>${words.past}</h1>
${
  sales.length === 0
    ? html`<p class="lead">${words.empty}</p>`
    : html`<table class="prices"><thead><tr><th scope="col">${words.sale}</th><th scope="col" class="number">${words.joined}</th>
<th scope="col" class="number">${words.admitted}</th><th scope="col" class="number">${words.passed}</th></tr></thead><tbody>${rows}</tbody></table>`
}
${nextCursor === null ? null : html`<p><a href="${next}">${words.more}</a></p>`}</article>`,
  }
}

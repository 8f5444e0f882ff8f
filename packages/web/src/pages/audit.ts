import type { Host } from '@seatwise/domain'
import { type Html, html } from '../html.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { WORDS } from '../words/index.ts'
import { formatNumber } from '../words/say.ts'

export interface AuditFacts {
  readonly kind: 'event' | 'room'
  readonly id: string
  readonly roomId: string
  readonly name: string
  readonly host?: Host
  /** How often joining was refused, by reason; null while the ledger is away. */
  readonly refusals: readonly { readonly reason: string; readonly count: number }[] | null
}

/** What the script of the page gets. */
export interface AuditData {
  /** The path of the room's API. */
  readonly room: string
  readonly roomId: string
  readonly language: Language
  readonly words: (typeof WORDS)[Language]['audit']
}

/** Checks the transparency log of a room in the browser; without a script it explains and links the raw log. */
export function auditPage(language: Language, { kind, id, roomId, name, host, refusals }: AuditFacts): Page {
  const words = WORDS[language].audit
  const room = `/api/${kind}s/${id}`
  const data: AuditData = { room, roomId, language, words }
  return {
    title: `${words.title} – ${name}`,
    ...(host === undefined ? {} : { host }),
    entry: 'audit',
    data,
    body: html`<section class="narrow">
<h1>${words.title}</h1>
<p><a href="/${kind}s/${id}${kind === 'room' ? '/wait' : ''}">${name}</a></p>
<p class="lead">${words.lead}</p>
<p class="actions"><button type="button" class="button main" id="audit-start" hidden>${words.start}</button></p>
<p id="audit-progress" role="status"></p>
<div id="audit-result" role="status"></div>
<noscript><p>${words.noScript}</p></noscript>
<ul>
<li><a href="${room}/queue/audit">${words.log}</a></li>
<li><a href="${room}/queue/head">${words.head}</a></li>
<li><a href="/${kind}s/${id}/fairness">${WORDS[language].fairness.title}</a></li>
</ul>
<p>${words.limits}</p>
${refusals === null ? null : refused(language, refusals)}
</section>`,
  }
}

export function refused(language: Language, refusals: NonNullable<AuditFacts['refusals']>): Html {
  const { audit, console } = WORDS[language]
  const reasons: Readonly<Record<string, string>> = console.entry.reasons
  if (refusals.length === 0) return html`<h2>${audit.refused}</h2><p>${audit.noneRefused}</p>`
  return html`<h2>${audit.refused}</h2>
<p>${audit.refusedHow}</p>
<div class="table-scroll"><table><caption class="heard">${audit.refused}</caption>
<thead><tr><th scope="col">${console.entry.reason}</th><th scope="col">${console.entry.count}</th></tr></thead>
<tbody>${refusals.map(({ reason, count }) => html`<tr><th scope="row">${reasons[reason] ?? reason}</th><td class="number">${formatNumber(language, count)}</td></tr>`)}</tbody></table></div>`
}

import { html } from '../html.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { WORDS } from '../words/index.ts'

export interface AuditFacts {
  readonly kind: 'event' | 'room'
  readonly id: string
  readonly roomId: string
  readonly name: string
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
export function auditPage(language: Language, { kind, id, roomId, name }: AuditFacts): Page {
  const words = WORDS[language].audit
  const room = `/api/${kind}s/${id}`
  const data: AuditData = { room, roomId, language, words }
  return {
    title: `${words.title} – ${name}`,
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
</ul>
<p>${words.limits}</p>
</section>`,
  }
}

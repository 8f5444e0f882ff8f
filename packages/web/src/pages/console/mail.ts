import { type Html, html } from '../../html.ts'
import { icon } from '../../icons.ts'
import type { Language } from '../../language.ts'
import type { Page } from '../../page.ts'
import { WORDS } from '../../words/index.ts'
import { say } from '../../words/say.ts'
import type { Words } from '../../words/words.ts'
import { timeTag } from '../time-tag.ts'
import type { Said } from './organization/frame.ts'

interface MailLogLine {
  readonly id: string
  readonly type: string
  readonly address: string | null
  readonly state: keyof Words['mailing']['states']
  readonly createdAt: Date
  readonly problem: string | null
}

export interface MailFacts {
  readonly eventId: string
  readonly eventName: string
  readonly timeZone: string
  readonly hasMail: boolean
  readonly recipients: number
  readonly draft: { readonly id: string; readonly subject: string; readonly text: string }
  /** What buyers would read; null while there is nothing to preview. */
  readonly preview: string | null
  readonly log: readonly MailLogLine[]
  /** Where the log goes on; null at its end. */
  readonly next: number | null
  readonly said: Said
}

/** Writes to all buyers, after a preview, and shows what became of every mail. Plain forms. */
export function consoleMailPage(language: Language, facts: MailFacts): Page {
  const words = WORDS[language].mailing
  const { eventId, eventName, said } = facts
  return {
    title: `${words.title} · ${eventName}`,
    styles: ['console'],
    entry: 'shop',
    body: html`<div class="console stack organization">
<nav class="small" aria-label="${WORDS[language].console.title}"><a class="target" href="/console/events/${eventId}">${icon('back')}${eventName}</a></nav>
<h1>${words.title}</h1>
${said === null ? null : html`<p class="notice ${said.kind === 'done' ? 'good' : 'bad'}" role="${said.kind === 'done' ? 'status' : 'alert'}">${said.sentence}</p>`}
${writing(language, facts)}
${logSection(language, facts)}
</div>`,
  }
}

function writing(language: Language, { eventId, hasMail, recipients, draft, preview }: MailFacts): Html {
  const words = WORDS[language].mailing
  if (!hasMail) return html`<p class="notice">${words.noMail}</p>`
  if (recipients === 0) return html`<p class="lead">${words.noBuyers}</p>`
  const count = { count: recipients }
  const path = `/console/events/${eventId}/mail`
  const hidden = html`<input type="hidden" name="id" value="${draft.id}">`
  const checked =
    preview === null
      ? null
      : html`<section class="stack" aria-labelledby="preview"><h2 id="preview">${words.previewTitle}</h2>
<p><strong>${draft.subject}</strong></p>
<pre class="block letter" tabindex="0" role="region" aria-labelledby="preview">${preview}</pre>
<form method="post" action="${path}/send" data-once>${hidden}<input type="hidden" name="subject" value="${draft.subject}"><textarea name="text" hidden>${draft.text}</textarea>
<p class="actions"><button class="main">${say(language, words.send, count)}</button></p></form></section>`
  return html`<p class="lead">${say(language, words.lead, count)}</p>${checked}
<form method="post" action="${path}" class="stack measure">${hidden}
<label class="field">${words.subject}<input name="subject" required maxlength="200" autocomplete="off" value="${draft.subject}"></label>
<label class="field">${words.text}<textarea name="text" required maxlength="10000" rows="10" aria-describedby="text-hint">${draft.text}</textarea></label>
<p class="hint" id="text-hint">${words.textHint}</p>
<p class="actions"><button${preview === null ? html` class="main"` : null}>${words.preview}</button></p></form>`
}

function logSection(language: Language, facts: MailFacts): Html {
  const words = WORDS[language].mailing
  const { log, next, eventId } = facts
  const lines =
    log.length === 0
      ? html`<p class="quiet">${words.none}</p>`
      : html`<div class="table" tabindex="0" role="region" aria-labelledby="log"><table><thead><tr><th scope="col">${words.when}</th><th scope="col">${words.to}</th><th scope="col">${words.what}</th><th scope="col">${words.state}</th></tr></thead>
<tbody>${log.map((line) => logLine(language, facts, line))}</tbody></table></div>`
  return html`<section class="stack" aria-labelledby="log"><h2 id="log">${words.log}</h2><p class="quiet">${words.logLead}</p>${lines}
${next === null ? null : html`<p><a href="/console/events/${eventId}/mail?before=${next}#log">${words.earlier}</a></p>`}</section>`
}

function logLine(language: Language, { eventId, timeZone }: MailFacts, line: MailLogLine): Html {
  const words = WORDS[language].mailing
  const { id, type, address, state, createdAt, problem } = line
  const known: Readonly<Record<string, string>> = words.types
  const again =
    state !== 'set_aside'
      ? null
      : html`<form method="post" action="/console/events/${eventId}/mail/again"><input type="hidden" name="delivery" value="${id}"><button class="plain">${words.again}</button></form>`
  return html`<tr><td>${timeTag(language, createdAt, timeZone)}</td><td>${address ?? words.gone}</td><td>${known[type] ?? type}</td>
<td>${words.states[state]}${problem === null ? null : html`<br><span class="quiet small">${problem}</span>`}${again}</td></tr>`
}

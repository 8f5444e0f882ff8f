import { guardSnippets } from '../../guard-snippets.ts'
import { type Html, html } from '../../html.ts'
import { icon } from '../../icons.ts'
import type { Language } from '../../language.ts'
import type { Page } from '../../page.ts'
import { WORDS } from '../../words/index.ts'
import { say } from '../../words/say.ts'
import type { Words } from '../../words/words.ts'
import { foldedButton, type Said } from './organization/frame.ts'

export interface SiteCheck {
  readonly result: keyof Words['sites']['results']
  readonly detail?: string
  readonly status?: number
}

export interface SiteFacts {
  readonly id: string
  readonly name: string
  readonly target: string
  /** The origin where visitors wait. */
  readonly roomUrl: string
  readonly connector: { readonly customerId: string; readonly eventId: string } | null
  /** A key that was made up a moment ago. */
  readonly secretKey: string | null
  readonly check: SiteCheck | null
  readonly said: Said
}

/** A room in front of another site: its facts, the guard to copy, a check that it works, and connectors. Plain forms. */
export function sitePage(language: Language, facts: SiteFacts): Page {
  const words = WORDS[language].sites
  const { id, name, said } = facts
  return {
    title: `${words.title} · ${name}`,
    styles: ['console'],
    entry: 'shop',
    body: html`<div class="console stack organization">
<nav class="small" aria-label="${WORDS[language].console.title}"><a class="target" href="/console/rooms/${id}">${icon('back')}${name}</a></nav>
<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
${said === null ? null : html`<p class="notice ${said.kind === 'done' ? 'good' : 'bad'}" role="${said.kind === 'done' ? 'status' : 'alert'}">${said.sentence}</p>`}
${factsSection(language, facts)}
${snippetsSection(language, facts)}
${checkSection(language, facts)}
${connectorSection(language, facts)}
</div>`,
  }
}

function factsSection(language: Language, { id, name, target, roomUrl }: SiteFacts): Html {
  const words = WORDS[language].sites
  const waiting = `${roomUrl}/rooms/${id}/wait`
  return html`<section class="stack" aria-labelledby="facts"><h2 id="facts">${words.facts}</h2>
<dl class="facts"><div><dt class="label">${words.id}</dt><dd class="code">${id}</dd></div>
<div><dt class="label">${words.waitingPage}</dt><dd class="code"><a href="${waiting}">${waiting}</a></dd></div></dl>
<form method="post" action="/console/rooms/${id}/site" class="stack measure">
<label class="field">${words.name}<input name="name" required maxlength="200" autocomplete="off" value="${name}"></label>
<label class="field">${words.target}<input name="target" type="url" required maxlength="2048" value="${target}" aria-describedby="target-hint"></label>
<p class="hint" id="target-hint">${words.targetHint}</p>
<p class="actions"><button>${words.save}</button></p></form></section>`
}

function snippetsSection(language: Language, { id, target, roomUrl }: SiteFacts): Html {
  const words = WORDS[language].sites
  const snippets = guardSnippets({ roomUrl, room: id, site: new URL(target).origin })
  const items = snippets.map(
    (
      { title, file, code },
      index,
    ) => html`<details class="snippet"${index === 0 ? html` open` : null}><summary>${title}</summary>
<p class="code quiet" id="file-${index}">${file}</p>
<pre class="code block" tabindex="0" role="region" aria-label="${title}" translate="no">${code}</pre></details>`,
  )
  return html`<section class="stack" aria-labelledby="snippets"><h2 id="snippets">${words.snippets}</h2><p>${words.snippetsLead}</p>${items}</section>`
}

function checkSection(language: Language, { id, roomUrl, check }: SiteFacts): Html {
  const words = WORDS[language].sites
  const filling = { here: roomUrl, detail: check?.detail ?? '', status: String(check?.status ?? '') }
  const result =
    check === null
      ? null
      : html`<p class="notice ${check.result === 'works' ? 'good' : 'bad'}" role="${check.result === 'works' ? 'status' : 'alert'}">${say(language, words.results[check.result], filling)}</p>`
  return html`<section class="stack" id="check" aria-labelledby="check-title"><h2 id="check-title">${words.check}</h2><p class="measure">${words.checkLead}</p>
${result}
<form method="post" action="/console/rooms/${id}/site/check#check"><p class="actions"><button class="main">${words.checkNow}</button></p></form></section>`
}

function connectorSection(language: Language, { id, roomUrl, connector, secretKey }: SiteFacts): Html {
  const words = WORDS[language].sites
  const here = new URL(roomUrl).host
  const removing = {
    label: words.connectorRemove,
    name: null,
    lead: words.connectorRemoveLead,
    confirm: words.connectorRemoveConfirm,
  }
  const now =
    connector === null
      ? null
      : html`<p>${say(language, words.connectorNow, { customer: connector.customerId, event: connector.eventId })}</p>`
  const shown =
    secretKey === null
      ? null
      : html`<label class="field measure">${words.connectorSecret}<input class="code" readonly value="${secretKey}" autocomplete="off" spellcheck="false"></label>`
  return html`<section class="stack" id="connector" aria-labelledby="connector-title"><h2 id="connector-title">${words.connector}</h2>
<p class="measure">${say(language, words.connectorLead, { here })}</p>${now}${shown}
<form method="post" action="/console/rooms/${id}/connector" class="stack measure">
<label class="field">${words.customerId}<input name="customerId" required maxlength="64" pattern="[A-Za-z0-9\\-]{1,64}" autocomplete="off" value="${connector?.customerId ?? ''}"></label>
<label class="field">${words.eventId}<input name="eventId" required maxlength="64" pattern="[A-Za-z0-9\\-]{1,64}" autocomplete="off" value="${connector?.eventId ?? ''}"></label>
<label class="field">${words.secretKey}<input name="secretKey" maxlength="200" autocomplete="off" aria-describedby="secret-hint"></label>
<p class="hint" id="secret-hint">${words.secretKeyHint}</p>
<p class="actions"><button>${words.connectorSave}</button></p></form>
${connector === null ? null : foldedButton(removing, `/console/rooms/${id}/connector/delete`)}</section>`
}

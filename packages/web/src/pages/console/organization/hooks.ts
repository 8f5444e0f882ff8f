import { type Html, html, trustedHtml } from '../../../html.ts'
import { icon } from '../../../icons.ts'
import type { Language } from '../../../language.ts'
import type { Page } from '../../../page.ts'
import { WORDS } from '../../../words/index.ts'
import { say } from '../../../words/say.ts'
import { timeTag } from '../../time-tag.ts'
import { foldedButton, type OrganizationFrame, organizationPage, type Said } from './frame.ts'

export interface ShownWebhook {
  readonly id: string
  readonly url: string
  readonly types: readonly string[]
  readonly failures: number
  readonly isOfAll: boolean
}

export interface WebhooksFacts {
  readonly webhooks: readonly ShownWebhook[]
  /** All that a webhook can hear. */
  readonly types: readonly string[]
  readonly typed: { readonly url: string; readonly types: readonly string[]; readonly isWrong: boolean }
  readonly said: Said
}

/** Where an organization is called when something happens. */
export function webhooksPage(language: Language, frame: OrganizationFrame, facts: WebhooksFacts): Page {
  const words = WORDS[language].hooks
  const { webhooks, said } = facts
  const body = html`<p class="measure">${words.lead}</p>
${webhooks.length === 0 ? html`<p class="quiet">${words.none}</p>` : html`<ul class="people">${webhooks.map((webhook) => item(language, webhook))}</ul>`}
${newForm(language, frame.id, facts)}`
  return organizationPage(language, frame, { section: 'webhooks', said, body })
}

function item(language: Language, webhook: ShownWebhook): Html {
  const words = WORDS[language].hooks
  const { id, url } = webhook
  return html`<li>
<div><strong class="code">${url}</strong><br>${healthOf(language, webhook)}</div>
<div class="quiet small">${hears(language, webhook)}</div>
<p><a class="button" href="/console/webhooks/${id}">${words.openLog}<span class="heard"> ${url}</span></a></p>
</li>`
}

function healthOf(language: Language, { failures }: ShownWebhook): Html {
  const words = WORDS[language].hooks
  return failures === 0
    ? html`<span class="chip open">${words.healthy}</span>`
    : html`<span class="chip paused">${say(language, words.failing, { count: failures })}</span>`
}

function hears(language: Language, { types, isOfAll }: ShownWebhook): Html {
  const words = WORDS[language].hooks
  const named = types.length === 0 ? words.everything : html`<span class="code">${types.join(', ')}</span>`
  return html`${named}${isOfAll ? html`<br>${words.ofAll}` : null}`
}

function newForm(language: Language, organizationId: string, { types, typed }: WebhooksFacts): Html {
  const words = WORDS[language].hooks
  const boxes = types.map(
    (type) =>
      html`<label class="switch"><input type="checkbox" name="${type}" ${typed.types.includes(type) ? trustedHtml('checked') : null}><span class="code">${type}</span></label>`,
  )
  return html`<section class="stack" aria-labelledby="new-webhook"><h2 id="new-webhook">${words.newTitle}</h2>
<form method="post" action="/console/organizations/${organizationId}/webhooks" class="stack">
<label class="field measure">${words.url}<input name="url" type="url" required maxlength="2000" placeholder="https://" value="${typed.url}" aria-describedby="${typed.isWrong ? 'problem' : 'url-hint'}"${typed.isWrong ? html` aria-invalid="true"` : null}></label>
<p class="hint" id="url-hint">${words.urlHint}</p>
<fieldset class="stack"><legend class="label">${words.types}</legend><p class="hint">${words.typesHint}</p><div class="fields tight">${boxes}</div></fieldset>
<p class="actions"><button class="main">${words.make}</button></p>
</form></section>`
}

/** A new webhook. Its secret is on this page and nowhere else. */
export function webhookMadePage(
  language: Language,
  frame: OrganizationFrame,
  made: { readonly id: string; readonly url: string; readonly secret: string },
): Page {
  const words = WORDS[language].hooks
  const body = html`<section class="sheet stack measure" aria-labelledby="made"><h2 id="made">${words.madeTitle}</h2>
<p class="code">${made.url}</p>
<p class="notice">${words.madeLead}</p>
<label class="field">${words.secret}<input class="code" readonly value="${made.secret}" autocomplete="off" spellcheck="false"></label>
<p><a class="button main" href="/console/webhooks/${made.id}">${WORDS[language].organization.keyDone}</a></p></section>`
  return organizationPage(language, frame, { section: 'webhooks', said: null, body })
}

export interface WebhookLogFacts {
  readonly webhook: ShownWebhook
  /** The page of all webhooks of the same organization. */
  readonly back: string
  readonly calls: ReadonlyArray<{
    readonly id: string
    readonly newsId: string
    readonly type: string
    readonly state: 'waiting' | 'delivered' | 'set_aside'
    readonly attempts: number
    readonly problem: string | null
    readonly createdAt: Date
    readonly dueAt: Date | null
    readonly deliveredAt: Date | null
  }>
  readonly nextCursor: number | null
  readonly said: Said
}

/** One webhook: a call to try it, and all calls of the last weeks. */
export function webhookLogPage(language: Language, facts: WebhookLogFacts): Page {
  const words = WORDS[language].hooks
  const { webhook, back, calls, nextCursor, said } = facts
  const base = `/console/webhooks/${webhook.id}`
  const removing = { label: words.remove, name: null, lead: words.removeLead, confirm: words.removeConfirm }
  return {
    title: words.title,
    styles: ['console'],
    entry: 'shop',
    body: html`<div class="console stack organization">
<nav class="small" aria-label="${words.title}"><a class="target" href="${back}">${icon('back')}${words.title}</a></nav>
<h1 class="address">${webhook.url}</h1>
<p>${healthOf(language, webhook)} <span class="quiet small">${hears(language, webhook)}</span></p>
${said === null ? null : html`<p class="notice ${said.kind === 'done' ? 'good' : 'bad'}" role="${said.kind === 'done' ? 'status' : 'alert'}">${said.sentence}</p>`}
<form method="post" action="${base}/test" class="actions"><button class="main">${words.test}</button><span class="quiet">${words.testLead}</span></form>
<section class="stack" aria-labelledby="log"><h2 id="log">${words.log}</h2><p class="quiet">${words.logLead}</p>
${calls.length === 0 ? html`<p>${words.logNone}</p>` : html`<ul class="people">${calls.map((call) => callItem(language, base, call))}</ul>`}
${nextCursor === null ? null : html`<p><a class="button" href="${base}?cursor=${nextCursor}">${words.more}</a></p>`}</section>
${foldedButton(removing, `${base}/delete`)}
</div>`,
  }
}

function callItem(language: Language, base: string, call: WebhookLogFacts['calls'][number]): Html {
  const words = WORDS[language].hooks
  const { id, newsId, type, state, attempts, problem, createdAt, dueAt, deliveredAt } = call
  const stands = {
    delivered: html`<span class="chip open">${words.delivered}</span> ${deliveredAt && timeTag(language, deliveredAt, 'UTC')}`,
    waiting: html`<span class="chip">${words.waiting}</span> ${dueAt && timeTag(language, dueAt, 'UTC')}`,
    set_aside: html`<span class="chip paused">${words.setAside}</span>`,
  }[state]
  return html`<li>
<div><strong class="code">${type}</strong><br><span class="quiet small">${timeTag(language, createdAt, 'UTC')}<br><span class="code">${newsId}</span></span></div>
<div>${stands}<br><span class="quiet small">${say(language, words.attempts, { count: attempts })}${problem === null ? null : html`<br>${problem}`}</span></div>
${state === 'waiting' ? null : html`<form method="post" action="${base}/resend"><input type="hidden" name="delivery" value="${id}"><button>${words.again}<span class="heard"> ${type}</span></button></form>`}
</li>`
}

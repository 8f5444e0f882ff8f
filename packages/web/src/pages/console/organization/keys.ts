import { KEY_ROLES, type KeyRole } from '@seatwise/domain'
import { type Html, html, trustedHtml } from '../../../html.ts'
import type { Language } from '../../../language.ts'
import type { Page } from '../../../page.ts'
import { WORDS } from '../../../words/index.ts'
import { say } from '../../../words/say.ts'
import { timeTag } from '../../time-tag.ts'
import { foldedButton, type OrganizationFrame, organizationPage, roleSelect, type Said } from './frame.ts'

/** After how many days a key can end; 0 for never. */
export const KEY_DAYS = [30, 90, 365, 0] as const

export interface KeysFacts {
  readonly keys: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly role: KeyRole
    readonly ending: string
    readonly createdAt: Date
    readonly expiresAt: Date | null
    readonly lastUsedAt: Date | null
    readonly isOver: boolean
  }>
  /** What was typed before. */
  readonly typed: { readonly name: string; readonly role: KeyRole; readonly days: number }
  readonly said: Said
}

/** What programs act with. */
export function keysPage(language: Language, frame: OrganizationFrame, facts: KeysFacts): Page {
  const words = WORDS[language].organization
  const base = `/console/organizations/${frame.id}/keys`
  const { keys, said } = facts
  const body = html`<p class="measure">${words.keysLead}</p>
${keys.length === 0 ? html`<p class="quiet">${words.keysNone}</p>` : html`<ul class="people">${keys.map((key) => keyItem(language, base, key))}</ul>`}
${newKeyForm(language, base, facts)}`
  return organizationPage(language, frame, { section: 'keys', said, body })
}

function keyItem(language: Language, base: string, key: KeysFacts['keys'][number]): Html {
  const { organization: words, team } = WORDS[language]
  const { id, name, role, ending, createdAt, expiresAt, lastUsedAt, isOver } = key
  const revoking = {
    label: words.keyRevoke,
    name,
    lead: words.keyRevokeLead,
    confirm: words.keyRevokeConfirm,
  }
  const end = expiresAt === null ? words.keyLasts : html`${words.expires}: ${timeTag(language, expiresAt, 'UTC')}`
  return html`<li>
<div><strong>${name}</strong> <span class="chip">${team.roles[role]}</span>${isOver ? html` <span class="chip paused">${words.keyOver}</span>` : null}<br>
<span class="code">swk_…</span> <span class="quiet">${say(language, words.keyEnding, { ending })}</span></div>
<div class="quiet small">${words.keyMade}: ${timeTag(language, createdAt, 'UTC')}<br>
${lastUsedAt === null ? words.keyUnused : html`${words.keyUsed}: ${timeTag(language, lastUsedAt, 'UTC')}`}<br>${end}</div>
${foldedButton(revoking, `${base}/${id}/revoke`)}
</li>`
}

function newKeyForm(language: Language, base: string, { typed }: KeysFacts): Html {
  const words = WORDS[language].organization
  const ends = KEY_DAYS.map(
    (days) =>
      html`<option value="${days}" ${days === typed.days ? trustedHtml('selected') : null}>${days === 0 ? words.keyNever : say(language, words.keyInDays, { count: days })}</option>`,
  )
  return html`<section class="stack" aria-labelledby="new-key"><h2 id="new-key">${words.keyNew}</h2>
<form method="post" action="${base}" class="stack measure">
<label class="field">${words.keyName}<input name="name" required maxlength="100" autocomplete="off" value="${typed.name}" aria-describedby="key-name-hint"></label>
<p class="hint" id="key-name-hint">${words.keyNameHint}</p>
${roleSelect(language, { roles: KEY_ROLES, chosen: typed.role })}
<label class="field">${words.keyEnds}<select name="days">${ends}</select></label>
<p class="actions"><button class="main">${words.keyMake}</button></p>
</form></section>`
}

/** A new key. It is on this page and nowhere else. */
export function keyMadePage(
  language: Language,
  frame: OrganizationFrame,
  made: { readonly name: string; readonly key: string },
): Page {
  const words = WORDS[language].organization
  const body = html`<section class="sheet stack measure" aria-labelledby="made"><h2 id="made">${words.keyShownTitle}: ${made.name}</h2>
<p class="notice">${words.keyShownLead}</p>
<label class="field">${words.keyShown}<input class="code" readonly value="${made.key}" autocomplete="off" spellcheck="false"></label>
<p>${words.keyHowTo}</p>
<p class="code block" translate="no">Authorization: Bearer swk_…</p>
<p><a class="button main" href="/console/organizations/${frame.id}/keys">${words.keyDone}</a></p></section>`
  return organizationPage(language, frame, { section: 'keys', said: null, body })
}

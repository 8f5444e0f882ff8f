import { MEMBER_ROLES, type MemberRole } from '@seatwise/domain'
import { type Html, html } from '../../../html.ts'
import type { Language } from '../../../language.ts'
import type { Page } from '../../../page.ts'
import { WORDS } from '../../../words/index.ts'
import { say } from '../../../words/say.ts'
import { timeTag } from '../../time-tag.ts'
import { foldedButton, type OrganizationFrame, organizationPage, roleSelect, type Said } from './frame.ts'

export interface TeamFacts {
  readonly members: ReadonlyArray<{
    readonly userId: string
    readonly name: string
    readonly email: string
    readonly role: MemberRole
    readonly since: Date
    readonly isYou: boolean
  }>
  readonly invitations: ReadonlyArray<{
    readonly id: string
    readonly email: string
    readonly role: MemberRole
    readonly expiresAt: Date
  }>
  /** What was typed and not accepted. */
  readonly typed: { readonly email: string; readonly role: MemberRole; readonly isWrong: boolean }
  readonly said: Said
}

/** Who works for an organization, and who was invited to. */
export function teamPage(language: Language, frame: OrganizationFrame, facts: TeamFacts): Page {
  const words = WORDS[language].organization
  const { members, invitations, said } = facts
  const base = `/console/organizations/${frame.id}/team`
  const body = html`<p>${words.teamLead}</p>
<section class="stack" aria-labelledby="members"><h2 id="members">${words.members}</h2>
<ul class="people">${members.map((member) => memberItem(language, base, member))}</ul></section>
<section class="stack" aria-labelledby="invitations"><h2 id="invitations">${words.invitations}</h2>
${invitations.length === 0 ? html`<p class="quiet">${words.noInvitations}</p>` : html`<ul class="people">${invitations.map((one) => invitationItem(language, base, one))}</ul>`}</section>
${inviteForm(language, base, facts)}`
  return organizationPage(language, frame, { section: 'team', said, body })
}

function memberItem(language: Language, base: string, member: TeamFacts['members'][number]): Html {
  const words = WORDS[language].organization
  const { userId, name, email, role, since, isYou } = member
  const shown = name === '' ? email : name
  const ending = {
    label: words.end,
    name: shown,
    lead: say(language, words.endLead, { name: shown }),
    confirm: words.endConfirm,
  }
  return html`<li>
<div><strong>${shown}</strong>${isYou ? html` <span class="chip">${words.you}</span>` : null}<br>${email}<br>
<span class="quiet small">${words.since}: ${timeTag(language, since, 'UTC')}</span></div>
<form method="post" action="${base}/members/${userId}/role" class="with-button">
${roleSelect(language, { roles: MEMBER_ROLES, chosen: role, label: say(language, words.roleOf, { name: shown }) })}
<button>${words.changeRole}<span class="heard"> ${shown}</span></button></form>
${foldedButton(ending, `${base}/members/${userId}/end`)}
</li>`
}

function invitationItem(
  language: Language,
  base: string,
  { id, email, role, expiresAt }: TeamFacts['invitations'][number],
): Html {
  const { organization: words, team } = WORDS[language]
  return html`<li>
<div><strong>${email}</strong><br>${team.roles[role]}<br>
<span class="quiet small">${words.expires}: ${timeTag(language, expiresAt, 'UTC')}</span></div>
<form method="post" action="${base}/invitations/${id}/withdraw"><button class="plain">${words.withdraw}<span class="heard"> ${email}</span></button></form>
</li>`
}

function inviteForm(language: Language, base: string, { typed }: TeamFacts): Html {
  const words = WORDS[language].organization
  return html`<section class="stack" aria-labelledby="invite"><h2 id="invite">${words.addTitle}</h2>
<form method="post" action="${base}" class="stack measure">
<label class="field">${words.email}<input name="email" type="email" required maxlength="254" autocomplete="off" value="${typed.email}"${typed.isWrong ? html` aria-invalid="true" aria-describedby="problem"` : null}></label>
${roleSelect(language, { roles: MEMBER_ROLES, chosen: typed.role })}
<p class="hint">${words.addHint}</p>
<p class="actions"><button class="main">${words.add}</button></p>
</form></section>`
}

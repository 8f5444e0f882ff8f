import { type Html, html } from '../../../html.ts'
import type { Language } from '../../../language.ts'
import type { Page } from '../../../page.ts'
import { WORDS } from '../../../words/index.ts'
import { say } from '../../../words/say.ts'
import { foldedButton, type OrganizationFrame, organizationPage, type Said } from './frame.ts'

export interface OrganizationSettings {
  readonly name: string
  readonly address: string
  readonly taxNumber: string
  readonly mayEdit: boolean
  readonly isMember: boolean
  readonly mayMake: boolean
  readonly said: Said
}

/** What an organization is called and what its receipts say; leaving it. */
export function organizationSettingsPage(
  language: Language,
  frame: OrganizationFrame,
  facts: OrganizationSettings,
): Page {
  const words = WORDS[language].organization
  const base = `/console/organizations/${frame.id}`
  const leaving = {
    label: say(language, words.leave, { organization: frame.name }),
    name: null,
    lead: words.leaveLead,
    confirm: words.leaveConfirm,
  }
  const body = html`${facts.mayEdit ? editForm(language, base, facts) : readOnly(language, facts)}
${facts.isMember ? foldedButton(leaving, `${base}/leave`) : null}
${facts.mayMake ? makeForm(language) : null}`
  return organizationPage(language, frame, { section: 'settings', said: facts.said, body })
}

function editForm(language: Language, base: string, { name, address, taxNumber }: OrganizationSettings): Html {
  const words = WORDS[language].organization
  return html`<form method="post" action="${base}" class="stack measure">
<label class="field">${words.name}<input name="name" required maxlength="200" autocomplete="organization" value="${name}" aria-describedby="name-hint"></label>
<p class="hint" id="name-hint">${words.nameHint}</p>
<label class="field">${words.address}<textarea name="address" rows="4" maxlength="500">${address}</textarea></label>
<label class="field">${words.taxNumber}<input name="taxNumber" maxlength="50" autocomplete="off" value="${taxNumber}"></label>
<p class="actions"><button class="main">${words.save}</button></p>
</form>`
}

function readOnly(language: Language, { name, address, taxNumber }: OrganizationSettings): Html {
  const words = WORDS[language].organization
  const facts = [
    [words.name, name],
    [words.address, address],
    [words.taxNumber, taxNumber],
  ].filter(([, value]) => value !== '')
  return html`<dl class="facts">${facts.map(([label = '', value = '']) => html`<div><dt class="label">${label}</dt><dd>${value}</dd></div>`)}</dl>
<p class="quiet">${words.onlyOwners}</p>`
}

function makeForm(language: Language): Html {
  const words = WORDS[language].organization
  return html`<section class="stack" aria-labelledby="make"><h2 id="make">${words.make}</h2><p>${words.makeLead}</p>
<form method="post" action="/console/organizations" class="finder">
<label class="field">${words.name}<input name="name" required maxlength="200" autocomplete="off"></label>
<button>${words.makeConfirm}</button></form></section>`
}

import type { MemberRole } from '@seatwise/domain'
import { type Html, html, trustedHtml } from '../../../html.ts'
import { icon } from '../../../icons.ts'
import type { Language } from '../../../language.ts'
import type { Page } from '../../../page.ts'
import { WORDS } from '../../../words/index.ts'
import { say } from '../../../words/say.ts'
import type { Words } from '../../../words/words.ts'

export const ORGANIZATION_SECTIONS = ['team', 'keys', 'webhooks', 'settings'] as const
export type OrganizationSection = (typeof ORGANIZATION_SECTIONS)[number]

/** What every page of an organization shows beside its own content. */
export interface OrganizationFrame {
  readonly id: string
  readonly name: string
  /** The viewer's; null for an admin who is no member. */
  readonly role: MemberRole | null
  /** The pages that the viewer may open. */
  readonly sections: readonly OrganizationSection[]
  /** All organizations of the viewer, this one too. */
  readonly all: readonly { readonly id: string; readonly name: string }[]
}

export type OrganizationProblem = keyof Words['organization']['problems']

/** What was done a moment ago, or why it was not. */
export type Said =
  | { readonly kind: 'done'; readonly sentence: string }
  | { readonly kind: 'problem'; readonly sentence: string }
  | null

interface Content {
  readonly section: OrganizationSection
  readonly said: Said
  readonly body: Html
}

/** A page of an organization. Plain forms: nothing here needs a script. */
export function organizationPage(language: Language, frame: OrganizationFrame, content: Content): Page {
  const words = WORDS[language].organization
  const { section, said, body } = content
  const role = frame.role === null ? null : WORDS[language].team.roles[frame.role]
  return {
    title: `${nameOf(language, section)} · ${frame.name}`,
    styles: ['console'],
    entry: 'shop',
    body: html`<div class="console stack organization">
<nav class="small" aria-label="${WORDS[language].console.title}"><a class="target" href="/console">${icon('back')}${WORDS[language].console.title}</a></nav>
<div class="console-head"><h1>${frame.name}</h1>${switcher(words, frame)}</div>
<p class="quiet">${role === null ? words.asAdmin : say(language, words.yourRole, { role })}</p>
${sectionsNav(language, frame, section)}
${saidNotice(said)}
${body}
</div>`,
  }
}

const addressOf = (id: string, section: OrganizationSection): string =>
  section === 'settings' ? `/console/organizations/${id}` : `/console/organizations/${id}/${section}`

const nameOf = (language: Language, section: OrganizationSection): string =>
  section === 'webhooks' ? WORDS[language].hooks.title : WORDS[language].organization[section]

function sectionsNav(language: Language, { id, sections }: OrganizationFrame, here: OrganizationSection): Html {
  const words = WORDS[language].organization
  const links = sections.map(
    (section) =>
      html`<li><a class="target" href="${addressOf(id, section)}"${section === here ? html` aria-current="page"` : null}>${nameOf(language, section)}</a></li>`,
  )
  return html`<nav class="sections" aria-label="${words.nav}"><ul>${links}<li><a class="target" href="/account">${words.sessions}</a></li></ul></nav>`
}

function switcher(words: Words['organization'], { id, all }: OrganizationFrame): Html | null {
  if (all.length < 2) return null
  const options = all.map(
    (one) => html`<option value="${one.id}" ${one.id === id ? trustedHtml('selected') : null}>${one.name}</option>`,
  )
  return html`<form class="finder" method="get" action="/console/organization">
<label class="field">${words.switch}<select name="id">${options}</select></label><button>${words.switchTo}</button></form>`
}

function saidNotice(said: Said): Html | null {
  if (said === null) return null
  return said.kind === 'done'
    ? html`<p class="notice good" role="status">${said.sentence}</p>`
    : html`<p class="notice bad" role="alert" id="problem">${said.sentence}</p>`
}

/** The choice of a role; with what each may do, where there is no label of its own for a small place. */
export function roleSelect(
  language: Language,
  {
    roles,
    chosen,
    label,
  }: { readonly roles: readonly MemberRole[]; readonly chosen: MemberRole; readonly label?: string },
): Html {
  const { organization: words, team } = WORDS[language]
  const options = roles.map(
    (role) =>
      html`<option value="${role}" ${role === chosen ? trustedHtml('selected') : null}>${team.roles[role]}${label === undefined ? `: ${words.does[role]}` : null}</option>`,
  )
  return label === undefined
    ? html`<label class="field">${words.role}<select name="role">${options}</select></label>`
    : html`<select name="role" aria-label="${label}">${options}</select>`
}

/** A button that is folded until its owner has read what it does. */
export function foldedButton(
  {
    label,
    name,
    lead,
    confirm,
  }: { readonly label: string; readonly name: string | null; readonly lead: string; readonly confirm: string },
  action: string,
): Html {
  return html`<details class="folded"><summary>${label}${name === null ? null : html`<span class="heard"> ${name}</span>`}</summary>
<form method="post" action="${action}" class="stack"><p>${lead}</p><p class="actions"><button>${confirm}</button></p></form></details>`
}

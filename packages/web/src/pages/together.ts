import { type Html, html } from '../html.ts'
import { groupCode } from '../views/group-code.ts'
import { waitPageAgain } from '../views/wait-actions.ts'
import type { WaitFacts } from '../views/wait-view.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'

/** Why a visitor did not come to stand with a group. */
export const GROUP_VERDICTS = ['unknown', 'over', 'full', 'inGroup', 'limited', 'drawing'] as const
export type GroupVerdict = (typeof GROUP_VERDICTS)[number]

export interface TogetherFacts {
  /** Most people who stand together. */
  readonly peopleMax: number
  /** What the visitor sends to others, once they asked for it. */
  readonly invitation: { readonly code: string; readonly link: string } | null
  /** The code of the link with which the visitor came; empty without one. */
  readonly typed: string
  readonly verdict: GroupVerdict | null
  /** The visitor asked for it: all others get a link, because most never need the rest. */
  readonly isOpen: boolean
}

/** Inviting others and joining them: plain forms, behind a link until they are needed. */
export function together(facts: WaitFacts, { peopleMax, invitation, typed, verdict, isOpen }: TogetherFacts): Html {
  const { language } = facts
  const words = WORDS[language].together
  const page = waitPageAgain({ ...facts, to: null })
  const query = facts.to === null ? '' : `?to=${encodeURIComponent(facts.to)}`
  if (!isOpen)
    return html`<p class="small"><a class="lone" href="${page}${query === '' ? '?' : `${query}&`}group=">${words.ask}</a></p>`
  return html`<section class="stack narrow" aria-labelledby="together"><h2 id="together">${words.ask}</h2>
<p>${say(language, words.how, { count: peopleMax })}</p>
${verdict === null ? null : html`<p class="notice bad" role="alert">${words[verdict]}</p>`}
${
  invitation === null
    ? html`<form method="post" action="${page}/invite${query}"><button>${words.invite}</button></form>`
    : html`<section class="sheet"><h2>${words.inviteTitle}</h2><p>${words.inviteHow}</p>
<dl class="answers"><div><dt class="label">${words.link}</dt><dd><a href="${invitation.link}">${invitation.link}</a></dd></div>
<div><dt class="label">${words.code}</dt><dd class="number">${groupCode(invitation.code)}</dd></div></dl></section>`
}
<form method="post" action="${page}/group${query}" class="stack">
<label class="field">${words.code}<input name="group" type="text" maxlength="40" value="${typed}" required autocomplete="off" autocapitalize="characters" spellcheck="false"></label>
<p class="quiet small">${words.joinHow}</p>
<button>${words.join}</button>
</form></section>`
}

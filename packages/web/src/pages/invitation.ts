import { html } from '../html.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'
import type { Words } from '../words/words.ts'

export interface InvitationFacts {
  readonly organization: string
  readonly email: string
  readonly role: keyof Words['team']['roles']
  readonly token: string
  /** Whether it was accepted a moment ago. */
  readonly isAccepted: boolean
}

/** Where the link of an invitation leads: nothing happens until the button is pressed. Null for an invitation that is over. */
export function invitationPage(language: Language, facts: InvitationFacts | null): Page {
  const words = WORDS[language].team
  const look = { entry: 'shop', styles: ['shop'] } as const
  if (facts === null) {
    return {
      ...look,
      title: words.overTitle,
      body: html`<section class="narrow"><h1>${words.overTitle}</h1><p class="lead">${words.overLead}</p></section>`,
    }
  }
  const { organization, email, role, token, isAccepted } = facts
  const title = say(language, isAccepted ? words.acceptedTitle : words.inviteTitle, { organization })
  const said = say(language, words.inviteLead, { organization, email, role: words.roles[role] })
  return {
    ...look,
    title,
    body: isAccepted
      ? html`<section class="narrow"><h1>${title}</h1>
<p class="notice" role="status">${say(language, words.acceptedLead, { email })}</p>
<p><a class="button" href="/sign-in?next=%2Fconsole">${words.goSignIn}</a></p></section>`
      : html`<section class="narrow"><h1>${title}</h1><p class="lead">${said}</p>
<form method="post" action="/invitations/${token}"><button class="button">${words.accept}</button></form></section>`,
  }
}

import { type Html, html } from '../html.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'
import type { SignInProblem } from './sign-in.ts'

export interface CodeForm {
  /** Where the mail went that this browser asked for; empty when that is not known. */
  readonly email: string
  /** Where to go afterwards: a path of this site. */
  readonly next: string
  readonly problem: SignInProblem | null
}

/** After asking for a mail: the code can be typed here, also when the mail is read on another device. */
export function codePage(language: Language, { email, next, problem }: CodeForm): Page {
  const words = WORDS[language].signIn
  const again = `/sign-in?${new URLSearchParams({ next })}`
  return {
    title: words.codeTitle,
    body: html`<section class="narrow">
<h1>${words.codeTitle}</h1>
<p class="lead" role="status">${email === '' ? words.codeLeadTyped : say(language, words.codeLead, { email })}</p>
${problemOf(language, problem)}
<form method="post" action="/sign-in/code" class="stack">
<input type="hidden" name="next" value="${next}">
${
  email === ''
    ? html`<label class="field">${words.email}<input name="email" type="email" autocomplete="email" required maxlength="254"></label>`
    : html`<input type="hidden" name="email" value="${email}">`
}
<label class="field">${words.code}<input name="code" inputmode="numeric" autocomplete="one-time-code" required minlength="8" maxlength="20" aria-describedby="code-hint"></label>
<p class="hint" id="code-hint">${words.codeHint}</p>
<button class="main">${words.submit}</button>
</form>
<p>${words.codeAgain} <a href="${again}">${words.codeAgainLink}</a></p>
</section>`,
  }
}

export interface LinkForm {
  readonly token: string
  readonly email: string
  /** Whether this browser asked for the mail; another one has to confirm the address. */
  readonly isAsker: boolean
  readonly problem: SignInProblem | null
}

/** What the link of a mail leads to. Only the button signs in: programs open links in mail before people do. */
export function linkPage(language: Language, { token, email, isAsker, problem }: LinkForm): Page {
  const words = WORDS[language].signIn
  const confirm = html`<p><label><input type="checkbox" name="confirmed" value="yes" required> ${say(language, words.linkConfirm, { email })}</label></p>`
  return {
    title: words.title,
    frame: 'task',
    body: html`<section class="narrow">
<h1>${words.title}</h1>
<p class="lead">${say(language, isAsker ? words.linkLead : words.linkForeign, { email })}</p>
${problemOf(language, problem)}
<form method="post" action="/sign-in/link/${token}" class="stack">
${isAsker ? null : confirm}
<button class="main">${words.submit}</button>
</form>
</section>`,
  }
}

/** The link was used before, or its time is over. */
export function linkOverPage(language: Language): Page {
  const words = WORDS[language].signIn
  return {
    title: words.linkOverTitle,
    frame: 'task',
    body: html`<section class="narrow">
<h1>${words.linkOverTitle}</h1>
<p class="lead">${words.linkOverLead}</p>
<p><a class="button main" href="/sign-in">${words.linkAgain}</a></p>
</section>`,
  }
}

function problemOf(language: Language, problem: SignInProblem | null): Html | null {
  if (problem === null) return null
  return html`<p class="notice bad" role="alert" id="problem">${WORDS[language].signIn[problem]}</p>`
}

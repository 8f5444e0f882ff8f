import { type Html, html } from '../html.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { WORDS } from '../words/index.ts'
import type { Words } from '../words/words.ts'
import { passkeyForm } from './passkeys.ts'

/** What can be wrong with the form; the words have a sentence for each. */
export type SignInProblem = Extract<
  keyof Words['signIn'],
  | 'wrong'
  | 'emailTaken'
  | 'weakPassword'
  | 'badEmail'
  | 'badName'
  | 'tooOften'
  | 'codeWrong'
  | 'linkUnconfirmed'
  | 'passkeyFailed'
  | 'providerAway'
  | 'providerRefused'
  | 'providerNotAllowed'
  | 'providerOfAnother'
>

export interface SignInForm {
  readonly kind: 'known' | 'new'
  /** Where to go afterwards: a path of this site. */
  readonly next: string
  readonly email: string
  readonly name: string
  readonly problem: SignInProblem | null
  /** Staff may sign in by the house's own provider. */
  readonly hasProvider: boolean
  /** Without mail a password is needed. */
  readonly hasMail: boolean
}

/** To the house's own provider. `isAgain`: it asks for the password even of a person who is signed in there. */
export function providerLink(language: Language, next: string, isAgain: boolean): Html {
  const query = new URLSearchParams({ ...(isAgain && { again: '1' }), next })
  const label = WORDS[language].signIn.providerUse
  return html`<p class="actions"><a class="button" href="/sign-in/openid?${String(query)}">${label}</a></p>`
}

/**
 * Signing in, or making an account: two forms at one address that need no script. The address alone is enough: without a
 * password a mail with a link and a code is sent.
 */
export function signInPage(
  language: Language,
  { kind, next, email, name, problem, hasProvider, hasMail }: SignInForm,
): Page {
  const words = WORDS[language].signIn
  const isNew = kind === 'new'
  const other = `/sign-in?${new URLSearchParams(isNew ? { next } : { new: '1', next })}`
  const title = isNew ? words.newTitle : words.title
  const needsPassword = isNew || !hasMail
  const hint = isNew ? words.passwordHint : hasMail ? words.linkHint : null
  return {
    title,
    ...(isNew ? {} : { entry: 'passkeys' }),
    body: html`<section class="narrow">
<h1>${title}</h1>
<p class="lead">${words.lead}</p>
${problem === null ? null : html`<p class="notice bad" role="alert" id="problem">${words[problem]}</p>`}
<form method="post" action="${isNew ? '/sign-up' : '/sign-in'}" class="stack">
<input type="hidden" name="next" value="${next}">
${
  isNew
    ? html`<label class="field">${words.name}<input name="name" autocomplete="name" required maxlength="100" value="${name}"></label>`
    : null
}
<label class="field">${words.email}<input name="email" type="email" autocomplete="email" required maxlength="254" value="${email}"></label>
<label class="field">${needsPassword ? words.password : words.passwordOptional}<input name="password" type="password"${
      needsPassword ? html` required` : null
    } maxlength="1024" autocomplete="${isNew ? 'new-password' : 'current-password'}"${hint === null ? null : html` aria-describedby="password-hint"`}></label>
${hint === null ? null : html`<p class="hint" id="password-hint">${hint}</p>`}
<button class="main">${isNew ? words.submitNew : words.submit}</button>
</form>
${isNew ? null : passkeyForm('/sign-in/passkey', next, words.passkeyUse, words.passkeyFailed)}
${isNew || !hasProvider ? null : providerLink(language, next, false)}
<p>${isNew ? words.isKnown : words.isNew} <a href="${other}">${isNew ? words.title : words.newTitle}</a></p>
${isNew ? null : html`<p class="quiet"><a href="/sign-in/recovery?${String(new URLSearchParams({ next }))}">${words.recoveryLink}</a></p>`}
</section>`,
  }
}

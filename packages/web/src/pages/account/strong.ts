import { html } from '../../html.ts'
import type { Language } from '../../language.ts'
import type { Page } from '../../page.ts'
import { WORDS } from '../../words/index.ts'
import { passkeyForm, passkeyMaking } from '../passkeys.ts'
import { providerLink } from '../sign-in.ts'

export interface StrongFacts {
  /** Where to go afterwards: a path of this site. */
  readonly next: string
  /** Whether the account has a passkey, or recovery codes, to show. */
  readonly hasPasskey: boolean
  readonly hasFailed: boolean
  /** The account signs in by the house's own provider. */
  readonly hasProvider: boolean
}

/** Asks a manager or admin, in a house that asks for it, for a passkey: for the first one, or to show it. */
export function strongPage(language: Language, { next, hasPasskey, hasFailed, hasProvider }: StrongFacts): Page {
  const words = WORDS[language].account
  const { passkeyFailed, recoveryLink } = WORDS[language].signIn
  const show = html`<p class="lead">${words.strongShow}</p>
<p class="quiet" data-passkey-hint>${words.passkeyNeedsScript}</p>
${passkeyForm('/sign-in/again', next, words.againPasskey, passkeyFailed)}
<p class="quiet"><a href="/sign-in/recovery?${String(new URLSearchParams({ next }))}">${recoveryLink}</a></p>`
  const make = html`<p class="lead">${words.strongNeeded}</p>
<p>${words.passkeysLead}</p>
${passkeyMaking(language, { next, hasFailed })}`
  return {
    title: words.strongTitle,
    entry: 'passkeys',
    frame: 'task',
    body: html`<section class="narrow">
<h1>${words.strongTitle}</h1>
${hasPasskey ? show : make}
${hasProvider ? providerLink(language, next, true) : null}
</section>`,
  }
}

/** A person who confirmed to be there gets the download that they had asked for. */
export function downloadPage(
  language: Language,
  { path, back }: { readonly path: string; readonly back: string },
): Page {
  const words = WORDS[language].account
  return {
    title: words.downloadTitle,
    frame: 'task',
    leadsTo: path,
    body: html`<section class="narrow">
<h1>${words.downloadTitle}</h1>
<p class="lead" role="status">${words.downloadStarts}</p>
<p class="actions"><a class="button main" href="${back}">${words.downloadBack}</a> <a class="button" href="${path}">${words.downloadAgain}</a></p>
</section>`,
  }
}

import { type Html, html } from '../html.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'
import { timeTag } from './time-tag.ts'

export interface ShownPasskey {
  readonly id: string
  readonly name: string
  readonly madeAt: Date
}

/**
 * A form that a script fills with what the authenticator signed, and submits. Hidden until the script finds that the
 * browser can: `browser/passkeys.ts`.
 */
export function passkeyForm(action: string, next: string, label: string, failed: string): Html {
  return html`<form method="post" action="${action}" data-passkey="use" hidden>
<input type="hidden" name="next" value="${next}"><input type="hidden" name="credential">
<p class="notice bad" role="alert" hidden>${failed}</p>
<p class="actions"><button>${label}</button></p>
</form>`
}

/** The passkeys of an account, in its page. */
export function passkeySection(language: Language, passkeys: readonly ShownPasskey[], hasFailed: boolean): Html {
  const words = WORDS[language].account
  const items = passkeys.map(
    ({
      id,
      name,
      madeAt,
    }) => html`<li><p><strong>${name}</strong><br><span class="quiet small">${words.begun}: ${timeTag(language, madeAt, 'UTC')}</span></p>
<form method="post" action="/account/passkeys/delete"><input type="hidden" name="id" value="${id}"><button class="plain" aria-label="${say(language, words.passkeyDeleteOf, { name })}">${words.passkeyDelete}</button></form></li>`,
  )
  return html`<h2 id="passkeys">${words.passkeysTitle}</h2>
<p>${words.passkeysLead}</p>
${passkeys.length === 0 ? null : html`<ul class="plain-list">${items}</ul>`}
${passkeyMaking(language, { next: null, hasFailed })}
${passkeys.length === 0 ? null : html`<form method="post" action="/account/recovery-codes"><p class="actions"><button class="plain">${words.codesNew}</button></p></form>`}`
}

/** Hidden until the script finds that the browser can; `next` is where to go afterwards. */
export function passkeyMaking(
  language: Language,
  { next, hasFailed }: { readonly next: string | null; readonly hasFailed: boolean },
): Html {
  const words = WORDS[language].account
  return html`<p class="quiet" data-passkey-hint>${words.passkeyNeedsScript}</p>
<form method="post" action="/account/passkeys" class="stack" data-passkey="make" hidden>
<input type="hidden" name="credential">${next === null ? null : html`<input type="hidden" name="next" value="${next}">`}
<p class="notice bad" role="alert"${hasFailed ? null : html` hidden`}>${words.passkeyFailed}</p>
<label class="field">${words.passkeyName}<input name="name" required maxlength="100" aria-describedby="passkey-hint"></label>
<p class="hint" id="passkey-hint">${words.passkeyNameHint}</p>
<p class="actions"><button>${words.passkeyMake}</button></p>
</form>`
}

/** Recovery codes, shown once. */
export function codesPage(language: Language, codes: readonly string[], next: string): Page {
  const words = WORDS[language].account
  return {
    title: words.codesTitle,
    frame: 'task',
    body: html`<section class="narrow">
<h1>${words.codesTitle}</h1>
<p class="lead">${words.codesLead}</p>
<ul class="plain-list codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p><a class="button main" href="${next}">${words.codesDone}</a></p>
</section>`,
  }
}

/** Signing in with a recovery code. */
export function recoveryPage(
  language: Language,
  {
    email,
    next,
    problem,
  }: { readonly email: string; readonly next: string; readonly problem: 'codeWrong' | 'tooOften' | null },
): Page {
  const words = WORDS[language].signIn
  return {
    title: words.recoveryTitle,
    body: html`<section class="narrow">
<h1>${words.recoveryTitle}</h1>
<p class="lead">${words.recoveryLead}</p>
${problem === null ? null : html`<p class="notice bad" role="alert" id="problem">${words[problem]}</p>`}
<form method="post" action="/sign-in/recovery" class="stack">
<input type="hidden" name="next" value="${next}">
<label class="field">${words.email}<input name="email" type="email" autocomplete="email" required maxlength="254" value="${email}"></label>
<label class="field">${words.recoveryCode}<input name="code" autocomplete="off" autocapitalize="none" spellcheck="false" required maxlength="60"></label>
<button class="main">${words.submit}</button>
</form>
</section>`,
  }
}

import { type Html, html } from '../html.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'
import type { Words } from '../words/words.ts'
import { dataSection } from './account/leaving-account.ts'
import { passkeyForm, passkeySection, type ShownPasskey } from './passkeys.ts'
import { providerLink } from './sign-in.ts'
import { timeTag } from './time-tag.ts'

/** What the page says after a form. */
export type AccountNotice = Extract<keyof Words['account'], 'ended' | 'passwordSaved' | 'againDone' | 'passkeyDeleted'>
/** What was wrong with the password form. */
export type AccountProblem = 'passkeyFailed' | 'passwordWrong' | 'needsLink' | 'weakPassword' | 'tooOften'

export interface AccountFacts {
  readonly name: string
  readonly email: string
  readonly sessions: ReadonlyArray<{
    readonly id: string
    readonly method: 'password' | 'link' | 'passkey' | 'openid' | 'recovery'
    readonly device: string
    readonly begunAt: Date
    readonly usedAt: Date
    readonly isCurrent: boolean
  }>
  readonly passkeys: readonly ShownPasskey[]
  readonly hasPassword: boolean
  /** The session was begun by link a moment ago. */
  readonly cameByLink: boolean
  readonly hasMail: boolean
  readonly notice: AccountNotice | null
  readonly problem: AccountProblem | null
}

/** One's own account: where one is signed in, and the password. Plain forms. */
export function accountPage(language: Language, facts: AccountFacts): Page {
  const words = WORDS[language].account
  const { name, email, notice } = facts
  return {
    title: words.title,
    entry: 'passkeys',
    styles: ['shop'],
    body: html`<section class="narrow">
<h1>${words.title}</h1>
<p class="lead">${name} · ${email}</p>
${notice === null ? null : html`<p class="notice" role="status">${words[notice]}</p>`}
${sessionsOf(language, facts)}
${passkeySection(language, facts.passkeys, facts.problem === 'passkeyFailed')}
${passwordForm(language, facts)}
${dataSection(language)}
</section>`,
  }
}

function sessionsOf(language: Language, { sessions }: AccountFacts): Html {
  const words = WORDS[language].account
  const methods = {
    password: words.byPassword,
    link: words.byLink,
    passkey: words.byPasskey,
    openid: words.byOpenid,
    recovery: words.byRecovery,
  }
  const items = sessions.map(({ id, method, device, begunAt, usedAt, isCurrent }) => {
    const shown = device === '' ? words.unknownDevice : device
    return html`<li>
<p><strong>${shown}</strong>${isCurrent ? html` · ${words.current}` : null}<br>
<span class="quiet small">${words.begun} ${methods[method]}: ${timeTag(language, begunAt, 'UTC')}<br>${words.used}: ${timeTag(language, usedAt, 'UTC')}</span></p>
<form method="post" action="/account/sessions/${id}/end"><button class="plain" aria-label="${say(language, words.endOf, { device: shown })}">${words.end}</button></form>
</li>`
  })
  return html`<h2>${words.sessionsTitle}</h2>
<p>${words.sessionsLead}</p>
<ul class="plain-list sessions">${items}</ul>
<form method="post" action="/account/sign-out-everywhere"><p class="actions"><button>${words.endAll}</button></p></form>`
}

function passwordForm(language: Language, { hasPassword, cameByLink, hasMail, problem }: AccountFacts): Html {
  const words = WORDS[language].account
  const asksCurrent = hasPassword && !cameByLink
  const sentence = {
    ...{ passwordWrong: words.passwordWrong, needsLink: words.needsLink },
    ...{ weakPassword: WORDS[language].signIn.weakPassword, tooOften: WORDS[language].signIn.tooOften },
  }
  return html`<h2>${words.passwordTitle}</h2>
<p>${hasPassword ? words.passwordNow : words.passwordNone}</p>
${problem === null || problem === 'passkeyFailed' ? null : html`<p class="notice bad" role="alert" id="problem">${sentence[problem]}</p>`}
<form method="post" action="/account/password" class="stack">
${asksCurrent ? html`<label class="field">${words.currentPassword}<input name="current" type="password" required maxlength="1024" autocomplete="current-password"></label>` : null}
<label class="field">${words.newPassword}<input name="password" type="password" required maxlength="1024" autocomplete="new-password" aria-describedby="password-hint"></label>
<p class="hint" id="password-hint">${WORDS[language].signIn.passwordHint}</p>
<p class="actions"><button class="main">${words.savePassword}</button></p>
</form>
${cameByLink || !hasMail ? null : html`<p class="quiet">${words.passwordByLink} <a href="/sign-in?next=%2Faccount">${WORDS[language].signIn.title}</a></p>`}`
}

export interface AgainFacts {
  /** Where to go afterwards: a path of this site. */
  readonly next: string
  readonly hasPassword: boolean
  /** The account signs in by the house's own provider. */
  readonly hasProvider: boolean
  readonly hasMail: boolean
  /** Where the code went; null before it was asked for. */
  readonly sentTo: string | null
  readonly problem: 'passwordWrong' | 'codeWrong' | 'tooOften' | null
}

/** Asks a signed-in person to confirm to be there, before an act that could do harm. */
export function againPage(language: Language, facts: AgainFacts): Page {
  const { next, hasPassword, hasProvider, hasMail, sentTo, problem } = facts
  const words = WORDS[language].account
  const { codeWrong, tooOften, password, code, codeHint } = WORDS[language].signIn
  const sentence = { passwordWrong: WORDS[language].signIn.wrong, codeWrong, tooOften }
  const hidden = html`<input type="hidden" name="next" value="${next}">`
  const byPassword = html`<h2>${words.againPassword}</h2>
<form method="post" action="/sign-in/again" class="stack">${hidden}
<label class="field">${password}<input name="password" type="password" required maxlength="1024" autocomplete="current-password"></label>
<p class="actions"><button class="main">${words.again}</button></p>
</form>`
  const byCode = html`<p role="status">${say(language, words.againSent, { email: sentTo ?? '' })}</p>
<form method="post" action="/sign-in/again" class="stack">${hidden}
<label class="field">${code}<input name="code" inputmode="numeric" autocomplete="one-time-code" required minlength="8" maxlength="20" aria-describedby="code-hint"></label>
<p class="hint" id="code-hint">${codeHint}</p>
<p class="actions"><button class="main">${words.again}</button></p>
</form>`
  const byMail = html`<h2>${words.againMail}</h2>
${sentTo === null ? null : byCode}
<form method="post" action="/sign-in/again/mail" class="stack">${hidden}<p class="actions"><button>${words.againSend}</button></p></form>`
  return {
    title: words.againTitle,
    entry: 'passkeys',
    frame: 'task',
    body: html`<section class="narrow">
<h1>${words.againTitle}</h1>
<p class="lead">${words.againLead}</p>
${problem === null ? null : html`<p class="notice bad" role="alert" id="problem">${sentence[problem]}</p>`}
${passkeyForm('/sign-in/again', next, words.againPasskey, WORDS[language].signIn.passkeyFailed)}
${hasProvider ? providerLink(language, next, true) : null}
${hasPassword ? byPassword : null}
${hasMail ? byMail : null}
</section>`,
  }
}

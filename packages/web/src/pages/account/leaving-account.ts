import { type Html, html } from '../../html.ts'
import type { Language } from '../../language.ts'
import type { Page } from '../../page.ts'
import { WORDS } from '../../words/index.ts'
import type { Words } from '../../words/words.ts'

/** Why an account cannot be deleted now. */
export type DeletionProblem = Extract<keyof Words['account'], 'deletePaying' | 'deleteLastAdmin' | 'deleteLastOwner'>

/** On the page of one's account: everything that is kept, as a file, and the way out. */
export function dataSection(language: Language): Html {
  const words = WORDS[language].account
  return html`<h2 id="data">${words.dataTitle}</h2>
<p>${words.dataLead}</p>
<p class="actions"><a class="button" href="/api/auth/me/export">${words.dataExport}</a> <a class="button" href="/account/delete">${words.dataDelete}</a></p>`
}

/** Asks once more, and says what stays. */
export function deleteAccountPage(
  language: Language,
  { email, problem }: { readonly email: string; readonly problem: DeletionProblem | null },
): Page {
  const words = WORDS[language].account
  return {
    title: words.deleteTitle,
    frame: 'task',
    body: html`<section class="narrow">
<h1>${words.deleteTitle}</h1>
<p class="lead">${email}</p>
${problem === null ? null : html`<p class="notice bad" role="alert" id="problem">${words[problem]}</p>`}
<p>${words.deleteLead}</p>
<form method="post" action="/account/delete"><p class="actions"><button class="main">${words.deleteYes}</button> <a class="button" href="/account">${words.deleteNo}</a></p></form>
</section>`,
  }
}

export function accountDeletedPage(language: Language): Page {
  const words = WORDS[language].account
  return {
    title: words.deletedTitle,
    body: html`<section class="narrow">
<h1>${words.deletedTitle}</h1>
<p class="lead" role="status">${words.deletedLead}</p>
</section>`,
  }
}

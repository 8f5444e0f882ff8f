import { html } from '../html.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'

export type Trouble = 'notFound' | 'forbidden' | 'busy' | 'broken' | 'bad' | 'crossSite'

/** Something is not as hoped: what happened, whether anything was lost, and a way on. */
export function troublePage(language: Language, trouble: Trouble, path: string, requestId: string): Page {
  const words = WORDS[language].trouble
  const title = words[`${trouble === 'crossSite' ? 'bad' : trouble}Title`]
  return {
    title,
    body: html`<section class="narrow">
<h1>${title}</h1>
<p class="lead">${say(language, words[trouble], { id: requestId })}</p>
<p class="actions">
${trouble === 'busy' || trouble === 'broken' ? html`<a class="button main" href="${path}">${words.tryAgain}</a>` : null}
<a class="button" href="/">${words.goHome}</a>
</p>
</section>`,
    ...(trouble === 'busy' ? { refreshSeconds: 5 } : {}),
  }
}

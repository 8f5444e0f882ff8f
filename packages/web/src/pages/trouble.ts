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
${trouble === 'busy' || trouble === 'broken' ? html`<p><a href="/status">${words.status.title}</a></p>` : null}
</section>`,
    ...(trouble === 'busy' ? { refreshSeconds: 5 } : {}),
  }
}

export interface StatusFacts {
  readonly at: Date
  readonly parts: readonly { readonly part: 'rooms' | 'sales'; readonly works: boolean; readonly since: Date }[]
}

/** What works and what does not, since when, and what that means for visitors who wait or have paid. */
export function statusPage(language: Language, { at, parts }: StatusFacts): Page {
  const words = WORDS[language].trouble.status
  const broken = parts.filter(({ works }) => !works)
  return {
    title: words.title,
    body: html`<section class="narrow">
<h1>${words.title}</h1>
<p class="lead" role="status">${broken.length === 0 ? words.allWell : words.notWell}</p>
<dl>
${parts.map(
  ({ part, works, since }) => html`<dt>${words[part]}</dt>
<dd>${works ? words.works : words.silent} · ${clock(language, words.since, since)}</dd>
`,
)}</dl>
${broken.map(({ part }) => html`<p>${words[part === 'rooms' ? 'roomsMeans' : 'salesMeans']}</p>`)}
<p>${clock(language, words.seen, at)}</p>
</section>`,
    refreshSeconds: 10,
  }
}

/** In UTC: the page belongs to no venue. */
function clock(language: Language, word: string, time: Date) {
  const [day, rest = ''] = time.toISOString().split('T')
  const text = say(language, word, { time: `${day} ${rest.slice(0, 8)} UTC` })
  return html`<time datetime="${time.toISOString()}">${text}</time>`
}

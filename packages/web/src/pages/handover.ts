import { html } from '../html.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { WORDS } from '../words/index.ts'

/** Where the code for the phone leads. The code is behind the `#`, which browsers keep to themselves. */
export function handoverPage(language: Language): Page {
  const words = WORDS[language].buy
  const { handoverBad, missingCode } = words
  return {
    title: words.handoverTitle,
    entry: 'handover',
    frame: 'task',
    data: { words: { handoverBad, missingCode } },
    body: html`<section class="narrow">
<h1>${words.handoverTitle}</h1>
<p class="lead">${words.handoverLead}</p>
<p class="notice bad" role="alert" id="problem" hidden></p>
<p class="actions"><button class="main" id="accept" hidden>${words.handoverDo}</button></p>
<noscript><p class="notice bad">${words.handoverNoScript}</p></noscript>
</section>`,
  }
}

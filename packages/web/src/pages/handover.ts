import type { Host } from '@seatwise/domain'
import { html } from '../html.ts'
import type { Language } from '../language.ts'
import type { Page } from '../page.ts'
import { WORDS } from '../words/index.ts'

export interface HandoverFacts {
  readonly kind: 'event' | 'room'
  readonly id: string
  readonly name: string
  readonly host?: Host
  /** Whether a code was tried and not accepted. */
  readonly isRefused: boolean
}

/**
 * Where a place comes to another device: by a code that the visitor types, or that a link brings behind the `#`, which
 * browsers keep to themselves. Only the button uses it: programs that look at links before people do must not.
 */
export function handoverPage(language: Language, { kind, id, name, host, isRefused }: HandoverFacts): Page {
  const words = WORDS[language].buy
  return {
    title: `${words.handoverTitle} · ${name}`,
    ...(host === undefined ? {} : { host }),
    entry: 'handover',
    frame: 'task',
    body: html`<section class="narrow">
<h1>${words.handoverTitle}</h1>
<p class="lead">${words.handoverLead}</p>
${isRefused ? html`<p class="notice bad" role="alert">${words.handoverBad}</p>` : null}
<form method="post" action="/${kind}s/${id}/handover">
<label for="code">${words.handoverCode}</label>
<input id="code" name="code" required minlength="8" maxlength="40" autocomplete="off" autocapitalize="characters" spellcheck="false">
<p class="actions"><button class="main">${words.handoverDo}</button></p>
</form>
</section>`,
  }
}

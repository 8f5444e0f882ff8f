import { type HostProfile, isNamed } from '@seatwise/domain'
import { logoOf } from '../../frame.ts'
import { html } from '../../html.ts'
import type { Language } from '../../language.ts'
import type { Page } from '../../page.ts'
import { markdown } from '../../views/markdown.ts'
import { WORDS } from '../../words/index.ts'
import { type Programme, programmeOf } from './programme.ts'

export interface HostFacts extends Programme {
  readonly host: HostProfile
  readonly nextCursor: string | null
}

/** The page of an organization: who they are, and what they have on. */
export function hostPage(language: Language, { host, nextCursor, ...programme }: HostFacts): Page {
  const words = WORDS[language].event
  const { name, slug, about, website } = host
  const more = nextCursor === null ? null : new URLSearchParams({ cursor: nextCursor }).toString()
  return {
    title: words.listTitle,
    host,
    entry: 'shop',
    styles: ['shop'],
    body: html`<header class="host-head">${host.logo === null ? null : logoOf(host)}<div class="stack"><h1>${isNamed(host) ? name : words.listTitle}</h1>
${about === '' ? null : html`<div class="story">${markdown(about)}</div>`}
${website === null ? null : html`<p><a href="${website}" rel="noopener">${new URL(website).hostname.replace(/^www\./, '')}</a></p>`}</div></header>
<h2>${words.listTitle}</h2>
${programme.events.length === 0 ? html`<p class="lead">${words.nothingOn}</p>` : programmeOf(language, { ...programme, of: host })}
${more === null ? null : html`<p><a class="button" href="/o/${slug}?${more}">${words.more}</a></p>`}`,
  }
}

import { html } from '../../html.ts'
import { icon } from '../../icons.ts'
import type { Language } from '../../language.ts'
import type { Page } from '../../page.ts'
import { WORDS } from '../../words/index.ts'
import type { EditData } from './data.ts'

/** Making an event, or changing one: facts, prices, and the seat plan. */
export function consoleEditPage(
  language: Language,
  event: { id: string; name: string; timeZone: string } | null,
): Page {
  const words = WORDS[language].console
  const title = event === null ? words.edit.newTitle : words.edit.title
  const timeZone = event?.timeZone ?? null
  const data: EditData = { language, words, mayChange: true, timeZone, eventId: event?.id ?? null, event }
  const [back, name] = event === null ? ['/console', words.title] : [`/console/events/${event.id}`, event.name]
  return {
    title,
    styles: ['console'],
    entry: 'console-edit',
    data,
    body: html`<div class="console stack">
<nav class="small" aria-label="${words.title}"><a href="${back}">${icon('back')}${name}</a></nav>
<h1>${title}</h1>
<div id="edit"><p class="notice">${words.needsScript}</p></div>
</div>`,
  }
}

import { html } from '../../html.ts'
import { icon } from '../../icons.ts'
import type { Language } from '../../language.ts'
import type { Page } from '../../page.ts'
import { WORDS } from '../../words/index.ts'
import type { CheckInData } from './data.ts'

/** At the door: the camera, a scanner or typing. */
export function consoleCheckInPage(
  language: Language,
  { id, name, mayChange, timeZone }: { id: string; name: string; mayChange: boolean; timeZone: string | null },
): Page {
  const words = WORDS[language].console
  const data: CheckInData = { language, words, entrance: WORDS[language].entrance, mayChange, timeZone, eventId: id }
  return {
    title: `${words.checkIn.title}: ${name}`,
    styles: ['console'],
    entry: 'console-check-in',
    data,
    body: html`<div class="console narrow">
<nav class="small" aria-label="${words.title}"><a href="/console/events/${id}">${icon('back')}${name}</a></nav>
<h1>${words.checkIn.title}</h1>
<p class="quiet">${words.checkIn.lead}</p>
<div id="check-in"><p class="notice">${words.needsScript}</p></div>
</div>`,
  }
}

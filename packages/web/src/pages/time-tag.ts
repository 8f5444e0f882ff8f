import { type Html, html } from '../html.ts'
import type { Language } from '../language.ts'
import { type MomentStyle, nameZone, tellMoment } from '../views/moment.ts'
import { WORDS } from '../words/index.ts'

/**
 * A moment by the clock at the venue, with the name of its zone. The server does not know where the visitor is:
 * `own-times.ts` leaves the name out where the visitor's clock shows the same, and adds the visitor's time elsewhere.
 */
export function timeTag(language: Language, date: Date, timeZone: string, style: MomentStyle = 'medium'): Html {
  return tag(language, date, timeZone, style, WORDS[language].wait.ownTime)
}

/** The same where there is no room for another time: lists, and the head of a page. */
export function shortTimeTag(language: Language, date: Date, timeZone: string, style: MomentStyle = 'medium'): Html {
  return tag(language, date, timeZone, style, '')
}

function tag(language: Language, date: Date, timeZone: string, style: MomentStyle, own: string): Html {
  const ms = date.getTime()
  return html`<time datetime="${date.toISOString()}" data-zone="${timeZone}" data-style="${style}" data-own="${own}">${tellMoment(language, ms, timeZone, style)} <span class="zone">${nameZone(language, ms, timeZone)}</span></time>`
}

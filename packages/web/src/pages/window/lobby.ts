import type { SaleEvent } from '@seatwise/domain'
import { type Html, html } from '../../html.ts'
import type { Language } from '../../language.ts'
import { WORDS } from '../../words/index.ts'
import { goodToKnow, priceTable } from '../event.ts'
import { timeTag } from '../time-tag.ts'

/** For visitors who wait until a sale opens: what is sold, what it costs, and what to have ready. They have time to read. */
export function lobby(language: Language, event: SaleEvent): Html {
  const words = WORDS[language].event
  const { name, startsAt, timeZone, location, seatTypes } = event
  const when = startsAt === null ? words.dateOpen : timeTag(language, startsAt, timeZone)
  return html`<section class="lobby" aria-label="${name}">
<h2>${name}</h2>
<p class="quiet">${when}${location === '' ? null : html`<br>${location}`}</p>
${priceTable(language, seatTypes)}
${goodToKnow(language, event)}
</section>`
}

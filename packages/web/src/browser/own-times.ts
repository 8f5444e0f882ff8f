import type { Language } from '../language.ts'
import { ownMoment } from '../views/moment.ts'
import { say } from '../words/say.ts'

/**
 * Times are told by the clock at the venue. Where this browser's clock shows the same, the name of the zone says
 * nothing and goes; where it shows another time, that is added, with the name of its zone.
 */
export function showOwnTimes(root: ParentNode = document): void {
  const language = document.documentElement.lang as Language
  for (const element of root.querySelectorAll<HTMLTimeElement>('time[data-zone]')) {
    const { zone: timeZone = '', own: template = '' } = element.dataset
    const ms = Date.parse(element.dateTime)
    if (Number.isNaN(ms)) continue
    const own = ownMoment(language, ms, timeZone)
    element.removeAttribute('data-zone')
    if (own === null) element.querySelector('.zone')?.remove()
    else if (template !== '') element.append(' ', ownTime(`(${say(language, template, own)})`))
  }
}

function ownTime(text: string): HTMLElement {
  const element = document.createElement('span')
  element.className = 'own-time'
  element.textContent = text
  return element
}

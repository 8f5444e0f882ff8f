import { type Html, html } from '../html.ts'
import type { Language } from '../language.ts'

/** A moment. The server writes it in UTC and says so; `local-times.ts` writes it in the visitor's own time zone. */
export function timeTag(language: Language, date: Date, style: 'medium' | 'full' = 'medium'): Html {
  return html`<time datetime="${date.toISOString()}" data-style="${style}">${formatUtc(language, date, style)}</time>`
}

function formatUtc(language: Language, date: Date, style: 'medium' | 'full' = 'medium'): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: style, timeStyle: 'short', timeZone: 'UTC' })
  return `${format.format(date)} UTC`
}

/** A moment in the time zone of whoever looks. The server does not know it, and says that it is UTC. */
export function tellMoment(language: Language, ms: number): string {
  const isServer = typeof document === 'undefined'
  if (isServer) return formatUtc(language, new Date(ms), 'full')
  return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }).format(ms)
}

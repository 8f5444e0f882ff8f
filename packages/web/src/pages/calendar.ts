import type { SaleEvent } from '@seatwise/domain'
import type { Language } from '../language.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'

/** A calendar file (RFC 5545) that reminds of the start of a sale. */
export function saleCalendar(language: Language, event: SaleEvent, url: string): string {
  const start = event.salesStartAt
  const end = new Date(start.getTime() + 30 * 60_000)
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Seatwise//Sale//EN',
    'BEGIN:VEVENT',
    `UID:${event.id}@seatwise`,
    `DTSTAMP:${stamp(event.updatedAt)}`,
    `DTSTART:${stamp(start)}`,
    `DTEND:${stamp(end)}`,
    `SUMMARY:${escapeText(say(language, WORDS[language].event.calendarTitle, { name: event.name }))}`,
    `LOCATION:${escapeText(url)}`,
    `URL:${url}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'TRIGGER:-PT10M',
    `DESCRIPTION:${escapeText(event.name)}`,
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `${lines.map(fold).join('\r\n')}\r\n`
}

const stamp = (date: Date): string => date.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')

const escapeText = (text: string): string => text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r?\n|\r/g, '\\n')

const LINE_BYTES_MAX = 75

/** Lines are at most 75 bytes long; what is longer goes on in the next, after a space, never inside a character. */
function fold(line: string): string {
  let bytes = 0
  let folded = ''
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > LINE_BYTES_MAX) {
      folded += '\r\n '
      bytes = 1
    }
    folded += character
    bytes += size
  }
  return folded
}

import { offsetMs, type SaleEvent } from '@seatwise/domain'
import type { Language } from '../language.ts'
import { tellMomentNamed } from '../views/moment.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'
import { wallStamp, zoneLines } from './calendar-zone.ts'

/** What is put into a calendar, by the clock at the venue. */
interface Entry {
  readonly uid: string
  readonly timeZone: string
  readonly stampedAt: Date
  readonly startsAt: Date
  readonly endsAt: Date
  readonly summary: string
  readonly description: string
  readonly location: string
  readonly url: string
  readonly remindMinutes: number
}

const HALF_AN_HOUR_MS = 30 * 60_000
/** How long something lasts that does not say when it ends. */
const USUAL_LENGTH_MS = 3 * 3_600_000

/** A calendar file (RFC 5545) that reminds of the start of a sale, and says when the event itself is. */
export function saleCalendar(language: Language, event: SaleEvent, url: string): string {
  const { name, location, startsAt, timeZone, salesStartAt } = event
  const when = startsAt === null ? '' : tellMomentNamed(language, startsAt.getTime(), timeZone, 'full')
  return writeCalendar({
    ...{ uid: `${event.id}@seatwise`, timeZone, stampedAt: event.updatedAt, url, location: url, remindMinutes: 10 },
    startsAt: salesStartAt,
    endsAt: new Date(salesStartAt.getTime() + HALF_AN_HOUR_MS),
    summary: say(language, WORDS[language].event.calendarTitle, { name }),
    description: [name, when, location].filter((line) => line !== '').join('\n'),
  })
}

export interface Show {
  readonly id: string
  readonly name: string
  readonly location: string
  readonly timeZone: string
  readonly startsAt: Date
  readonly endsAt: Date | null
}

/** A calendar file of the event itself, for those who have tickets. */
export function showCalendar({ id, name, location, timeZone, startsAt, endsAt }: Show, url: string): string {
  return writeCalendar({
    ...{ uid: `${id}-show@seatwise`, timeZone, stampedAt: startsAt, startsAt, summary: name, location, url },
    endsAt: endsAt ?? new Date(startsAt.getTime() + USUAL_LENGTH_MS),
    description: tellMomentNamed('en-GB', startsAt.getTime(), timeZone, 'full'),
    remindMinutes: 120,
  })
}

function writeCalendar(entry: Entry): string {
  const { timeZone, startsAt, endsAt } = entry
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Seatwise//Sale//EN'],
    ...(timeZone === 'UTC' ? [] : zoneLines(timeZone, startsAt.getTime(), endsAt.getTime())),
    'BEGIN:VEVENT',
    `UID:${entry.uid}`,
    `DTSTAMP:${wallStamp(entry.stampedAt.getTime(), 0)}Z`,
    `DTSTART${wallTimeOf(timeZone, startsAt)}`,
    `DTEND${wallTimeOf(timeZone, endsAt)}`,
    `SUMMARY:${escapeText(entry.summary)}`,
    `DESCRIPTION:${escapeText(entry.description)}`,
    `LOCATION:${escapeText(entry.location)}`,
    `URL:${entry.url}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `TRIGGER:-PT${entry.remindMinutes}M`,
    `DESCRIPTION:${escapeText(entry.summary)}`,
    ...['END:VALARM', 'END:VEVENT', 'END:VCALENDAR'],
  ]
  return `${lines.map(fold).join('\r\n')}\r\n`
}

/** What the clock at the venue shows. */
function wallTimeOf(timeZone: string, instant: Date): string {
  const ms = instant.getTime()
  if (timeZone === 'UTC') return `:${wallStamp(ms, 0)}Z`
  return `;TZID=${timeZone}:${wallStamp(ms, offsetMs(timeZone, ms))}`
}

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

import type { Language } from '../language.ts'
import { say } from '../words/say.ts'
import type { Words } from '../words/words.ts'

const MINUTE = 60
const HOUR = 3_600

/** A wait as people say it: a range, never more exact than it is. Seconds in, words out. */
export function tellWait(language: Language, words: Words['wait'], seconds: { from: number; to: number }): string {
  const { from, to } = { from: seconds.from, to: Math.max(seconds.from, seconds.to) }
  if (to < MINUTE) return words.lessThanMinute
  if (to < 1.5 * MINUTE) return words.aboutOneMinute
  const unit = from >= 1.5 * HOUR ? HOUR : MINUTE
  const low = Math.max(1, Math.floor(from / unit))
  const high = Math.max(low + 1, Math.ceil(to / unit))
  return say(language, unit === HOUR ? words.aboutHours : words.aboutMinutes, { from: low, to: high })
}

/** Time until something begins: days as long as there are any to speak of, then a clock. */
export function tellDistance(language: Language, ms: number): string {
  const days = Math.floor(ms / 1000 / (24 * HOUR))
  if (days < 2) return tellClock(ms)
  return new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days)
}

/** Time left as a clock shows it: 4:05, or 1:04:05. Rounded up, so that it ends when the time does. */
export function tellClock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const parts = [Math.floor(seconds / HOUR), Math.floor((seconds % HOUR) / MINUTE), seconds % MINUTE]
  const [hours = 0, minutes = 0, rest = 0] = parts
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(rest)}` : `${minutes}:${twoDigits(rest)}`
}

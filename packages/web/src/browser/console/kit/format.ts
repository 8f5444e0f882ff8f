import { page } from './page.ts'
import { venueZone } from './venue-clock.ts'

const { language } = page
const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 })
const fine = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
const share = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 })
// By the clock at the venue, wherever the operator is.
const timeZone = venueZone
const instant = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone })
const clock = new Intl.DateTimeFormat(language, { timeStyle: 'medium', timeZone })
export const formatHour: (time: number | Date) => string = new Intl.DateTimeFormat(language, {
  timeStyle: 'short',
  timeZone,
}).format
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })

export const formatCount = (value: number): string => whole.format(value)
/** Small numbers deserve a digit more. */
export const formatRate = (value: number): string => (value < 10 ? fine : whole).format(value)
export const formatShare = (value: number): string => share.format(value)
export const formatInstant = (time: string | Date): string => instant.format(new Date(time))
export const formatClock = (time: string | Date): string => clock.format(new Date(time))

const unit = (name: 'second' | 'minute' | 'hour', value: number): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'long', maximumFractionDigits: 0 }).format(
    value,
  )

/** As people say it: seconds, then minutes, then hours and minutes. */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return unit('second', Math.max(0, Math.round(seconds)))
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return unit('minute', minutes)
  const rest = minutes % 60
  const hours = unit('hour', Math.floor(minutes / 60))
  return rest === 0 ? hours : `${hours} ${unit('minute', rest)}`
}

/** "2 minutes ago". */
export function formatAgo(time: string, nowMs: number): string {
  const seconds = (Date.parse(time) - nowMs) / 1_000
  if (Math.abs(seconds) < 60) return relative.format(Math.round(seconds), 'second')
  if (Math.abs(seconds) < 3_600) return relative.format(Math.round(seconds / 60), 'minute')
  if (Math.abs(seconds) < 86_400) return relative.format(Math.round(seconds / 3_600), 'hour')
  return relative.format(Math.round(seconds / 86_400), 'day')
}

/** From minor units; how many digits a currency has, the browser knows. */
export function formatMoney(minor: number, currency: string): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency })
  return format.format(minor / 10 ** minorDigits(currency))
}

export function minorDigits(currency: string): number {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  } catch {
    // A currency that is still being typed is not valid yet.
    return 2
  }
}

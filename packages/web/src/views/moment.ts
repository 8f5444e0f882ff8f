/** How a moment is told: all of it, the usual, or the time of day alone where the date stands beside it. */
export type MomentStyle = 'full' | 'medium' | 'time'

/** A moment by the clock at the venue; without a zone, by the clock of this browser. */
export function tellMoment(locale: string, ms: number, timeZone: string | undefined, style: MomentStyle): string {
  const options = style === 'time' ? {} : { dateStyle: style }
  const text = formatOf(locale, { ...options, timeStyle: 'short', timeZone }).format(ms)
  // A line never ends between the hour and its half of the day.
  return text.replace(/\s(?=[AP]M$)/, '\u00a0')
}

/** The name of a zone as people say it, which in summer may be another than in winter: "Indochina Time". */
export function nameZone(locale: string, ms: number, timeZone: string | undefined): string {
  if (timeZone === 'UTC') return 'UTC'
  const parts = formatOf(locale, { timeZoneName: 'long', timeZone }).formatToParts(ms)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone ?? ''
}

/** A moment by the clock at the venue, with the name of its zone: for readers in another or an unknown zone. */
export function tellMomentNamed(locale: string, ms: number, timeZone: string, style: MomentStyle): string {
  return `${tellMoment(locale, ms, timeZone, style)} ${nameZone(locale, ms, timeZone)}`
}

/** The same moment by the clock of this browser. Null when it shows the same: then there is no need to name a zone. */
export function ownMoment(
  locale: string,
  ms: number,
  timeZone: string,
): { readonly time: string; readonly zone: string } | null {
  if (tellMoment(locale, ms, timeZone, 'medium') === tellMoment(locale, ms, undefined, 'medium')) return null
  const dayOf = (zone: string | undefined) => formatOf(locale, { dateStyle: 'short', timeZone: zone }).format(ms)
  const style = dayOf(timeZone) === dayOf(undefined) ? 'time' : 'medium'
  return { time: tellMoment(locale, ms, undefined, style), zone: nameZone(locale, ms, undefined) }
}

/** Making one takes longer than using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>()
const FORMATS_MAX = 2_000

type Options = { [Name in keyof Intl.DateTimeFormatOptions]?: Intl.DateTimeFormatOptions[Name] | undefined }

export function formatOf(locale: string, options: Options): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options])
  const known = formats.get(key)
  if (known !== undefined) return known
  const { timeZone, ...rest } = options
  const format = new Intl.DateTimeFormat(locale, {
    ...(rest as Intl.DateTimeFormatOptions),
    ...(timeZone === undefined ? {} : { timeZone }),
  })
  if (formats.size >= FORMATS_MAX) formats.clear()
  formats.set(key, format)
  return format
}

/** What visitors choose from, and what their mail is written in. */
export const LANGUAGES = ['en', 'ko', 'vi'] as const
export type SpokenLanguage = (typeof LANGUAGES)[number]
/** `en-GB` has the words of `en`; dates and money are written as they are outside of North America. */
export type Language = SpokenLanguage | 'en-GB'

/** What the languages call themselves, so that a visitor can recognise their own. */
export const LANGUAGE_NAMES = { en: 'English', ko: '한국어', vi: 'Tiếng Việt' } as const satisfies Record<
  SpokenLanguage,
  string
>

export interface LanguageWishes {
  /** From the address: what the visitor chose a moment ago. */
  readonly query: string | undefined
  /** From the cookie: what they chose before. */
  readonly cookie: string | undefined
  /** Accept-Language: what their browser is set to. */
  readonly header: string | undefined
}

/** A choice counts more than a setting; the first language of the browser that we speak, else English. */
export function chooseLanguage({ query, cookie, header }: LanguageWishes): SpokenLanguage {
  return readLanguage(query) ?? readLanguage(cookie) ?? preferredLanguage(header ?? '') ?? 'en'
}

/** The same with the region of the browser: English from anywhere but North America and the Philippines is British. */
export function withRegion(language: SpokenLanguage, header: string | undefined): Language {
  if (language !== 'en') return language
  const [, region] = /(?:^|,)\s*en-([a-z]{2})\b/i.exec((header ?? '').slice(0, HEADER_READ_MAX)) ?? []
  return region === undefined || AMERICAN.has(region.toUpperCase()) ? 'en' : 'en-GB'
}

const AMERICAN = new Set(['US', 'CA', 'PH', 'PR'])
/** Longer than any browser's. */
const HEADER_READ_MAX = 500

export function readLanguage(text: string | undefined): SpokenLanguage | null {
  return LANGUAGES.find((language) => language === text) ?? null
}

/** Far more than any browser sends. */
const RANGES_MAX = 30

function preferredLanguage(header: string): SpokenLanguage | null {
  const ranges = header.split(',', RANGES_MAX).map((range, index) => {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
    const quality = parameters.map((text) => /^\s*q=(\d(?:\.\d+)?)$/.exec(text)?.[1]).find((text) => text !== undefined)
    return { language: readLanguage(tag.split('-', 1)[0]), quality: Number(quality ?? 1), index }
  })
  const wanted = ranges
    .filter(({ language, quality }) => language !== null && quality > 0)
    .sort((one, other) => other.quality - one.quality || one.index - other.index)
  return wanted[0]?.language ?? null
}

export const LANGUAGES = ['en', 'ko', 'vi'] as const
export type Language = (typeof LANGUAGES)[number]

/** What the languages call themselves, so that a visitor can recognise their own. */
export const LANGUAGE_NAMES = { en: 'English', ko: '한국어', vi: 'Tiếng Việt' } as const satisfies Record<
  Language,
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
export function chooseLanguage({ query, cookie, header }: LanguageWishes): Language {
  return readLanguage(query) ?? readLanguage(cookie) ?? preferredLanguage(header ?? '') ?? 'en'
}

export function readLanguage(text: string | undefined): Language | null {
  return LANGUAGES.find((language) => language === text) ?? null
}

/** Far more than any browser sends. */
const RANGES_MAX = 30

function preferredLanguage(header: string): Language | null {
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

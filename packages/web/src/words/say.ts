import type { Language } from '../language.ts'

/**
 * A sentence with a number in it, in the forms the language has. `{count}` is that number. Exactly 1 is always `one`, also
 * where the grammar does not ask for it: "the best 1 together" is not English.
 */
export interface Plural {
  readonly zero?: string
  readonly one?: string
  readonly two?: string
  readonly few?: string
  readonly many?: string
  readonly other: string
}

export type Word = string | Plural
export type Filling = Readonly<Record<string, string | number>>

/** Says a sentence: picks the form for `count`, and fills in `{names}`; numbers are written as the language does. */
export function say(language: Language, word: Word, filling: Filling = {}): string {
  const text = typeof word === 'string' ? word : formOf(language, word, Number(filling.count ?? 0))
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = filling[name]
    if (value === undefined) return whole
    return typeof value === 'number' ? formatNumber(language, value) : value
  })
}

function formOf(language: Language, word: Plural, count: number): string {
  const form = count === 1 ? 'one' : pluralRules(language).select(count)
  return word[form] ?? word.other
}

const rules = new Map<Language, Intl.PluralRules>()
function pluralRules(language: Language): Intl.PluralRules {
  const known = rules.get(language)
  if (known !== undefined) return known
  const made = new Intl.PluralRules(language)
  rules.set(language, made)
  return made
}

const numbers = new Map<Language, Intl.NumberFormat>()
export function formatNumber(language: Language, value: number): string {
  const format = numbers.get(language) ?? new Intl.NumberFormat(language)
  numbers.set(language, format)
  return format.format(value)
}

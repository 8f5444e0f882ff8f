import { describe, expect, it } from 'vitest'
import { chooseLanguage, LANGUAGES, withRegion } from '../src/language.ts'
import { tellMoment } from '../src/views/moment.ts'
import { formatMoney } from '../src/views/money.ts'
import { WORDS } from '../src/words/index.ts'
import { say, type Word } from '../src/words/say.ts'

const CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other']

/** Every word by its path, such as `wait.ahead`. */
function wordsIn(group: object, path = ''): Map<string, Word> {
  const found = new Map<string, Word>()
  for (const [name, value] of Object.entries(group)) {
    const here = path === '' ? name : `${path}.${name}`
    const isPlural = typeof value === 'object' && Object.keys(value).every((key) => CATEGORIES.includes(key))
    if (typeof value === 'string' || isPlural) found.set(here, value)
    else for (const [inner, word] of wordsIn(value, here)) found.set(inner, word)
  }
  return found
}

const formsOf = (word: Word): string[] => (typeof word === 'string' ? [word] : Object.values(word))
const namesIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').sort()

describe('words', () => {
  const english = wordsIn(WORDS.en)

  it.each(LANGUAGES)('[W2] %s has every word, filled in with the same names', (language) => {
    const words = wordsIn(WORDS[language])
    expect(english.size).toBeGreaterThan(200)
    expect([...words.keys()].sort()).toEqual([...english.keys()].sort())
    for (const [path, word] of words) {
      const original = english.get(path) ?? ''
      for (const form of formsOf(word)) {
        expect(form.trim(), path).not.toBe('')
        const wanted = new Set(formsOf(original).flatMap(namesIn))
        for (const name of namesIn(form)) expect(wanted, path).toContain(name)
      }
      if (typeof original === 'string') expect(namesIn(formsOf(word)[0] ?? ''), path).toEqual(namesIn(original))
    }
  })

  it.each(LANGUAGES)('[W2] %s has the forms of number that it needs', (language) => {
    const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    for (const [path, word] of wordsIn(WORDS[language])) {
      if (typeof word === 'string') continue
      for (const category of needed) expect(Object.keys(word), path).toContain(category)
    }
  })

  it('[W2] only names and languages are the same in all languages', () => {
    const same = [...english].filter(([path, word]) => {
      const others = [WORDS.ko, WORDS.vi].map((words) => wordsIn(words).get(path))
      return typeof word === 'string' && /[a-z]{4}/.test(word) && others.every((other) => other === word)
    })
    expect(same.map(([path]) => path).filter((path) => !path.startsWith('console.'))).toEqual(['site.name'])
  })

  it('[W244] English has the dates and the money of the browser’s region', () => {
    const region = (header: string) => withRegion('en', header)
    expect([region('en-GB,en;q=0.9'), region('en-IE'), region('ko, en-AU;q=0.5')]).toEqual(['en-GB', 'en-GB', 'en-GB'])
    expect([region('en-US,en;q=0.9'), region('en-CA'), region('en'), region('de-DE'), region('')]).toEqual(
      Array.from({ length: 5 }, () => 'en'),
    )
    expect(withRegion('vi', 'en-GB')).toBe('vi')
    expect(WORDS['en-GB']).toBe(WORDS.en)
    const at = Date.parse('2099-03-01T19:30:00Z')
    expect(tellMoment('en', at, 'UTC', 'medium')).toMatch(/^Mar 1, 2099, 7:30.PM$/)
    expect(tellMoment('en-GB', at, 'UTC', 'medium')).toBe('1 Mar 2099, 19:30')
    expect([formatMoney('en', 900, 'USD'), formatMoney('en-GB', 900, 'USD')]).toEqual(['$9.00', 'US$9.00'])
  })

  it('[W2] numbers and forms are the language’s', () => {
    expect(say('en', WORDS.en.wait.ahead, { count: 1 })).toBe('1 person is ahead of you.')
    expect(say('en', WORDS.en.wait.ahead, { count: 1234 })).toBe('1,234 people are ahead of you.')
    expect(say('vi', WORDS.vi.wait.ahead, { count: 1234 })).toContain('1.234')
    expect(say('ko', WORDS.ko.wait.ahead, { count: 1234 })).toContain('1,234명')
    // Exactly one has a form of its own wherever it would sound odd.
    expect(say('ko', WORDS.ko.wait.dotStands, { count: 1 })).toBe('점 하나가 한 명입니다.')
    expect(say('vi', WORDS.vi.seats.bestTogether, { count: 1 })).toBe('Một ghế tốt nhất')
    expect(say('vi', WORDS.vi.seats.bestTogether, { count: 2 })).toBe('2 ghế tốt nhất cạnh nhau')
  })
})

describe('language', () => {
  it('[W3] a choice counts more than the browser', () => {
    const header = 'fr-CH, vi;q=0.8, ko;q=0.9, *;q=0.1'
    expect(chooseLanguage({ query: 'en', cookie: 'ko', header })).toBe('en')
    expect(chooseLanguage({ query: undefined, cookie: 'vi', header: 'ko' })).toBe('vi')
    expect(chooseLanguage({ query: 'xx', cookie: '<script>', header })).toBe('ko')
  })

  it.each([
    ['ko-KR', 'ko'],
    ['vi;q=0', 'en'],
    ['', 'en'],
    ['de, fr', 'en'],
    [','.repeat(5_000), 'en'],
    ['en;q=0.1, vi;q=0.2', 'vi'],
  ])('[W3] %j gives %s', (header, language) => {
    expect(chooseLanguage({ query: undefined, cookie: undefined, header })).toBe(language)
  })
})

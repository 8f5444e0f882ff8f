import { type Language, WORDS } from '@seatwise/web'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** A smaller target is hard to hit with a finger (WCAG 2.5.8). */
const TARGET_PX_MIN = 24

/** The page speaks its language and nothing of English; `names` are what an organiser called things. */
export async function expectLanguage(page: Page, language: Language, names: string): Promise<void> {
  const { lang, text } = await page.evaluate(readEverything)
  expect(lang).toBe(language)
  expect(text, 'a name that was not filled in, or a key').not.toMatch(/\{\w+\}|\b(wait|seats|buy|event|site)\.\w+\b/)
  const own = new Set([...saidIn(WORDS[language]), ...wordsIn(names), ...EVERYWHERE])
  const english = saidIn(WORDS.en).filter((word) => word.length > 2 && !own.has(word))
  const left = new Set(wordsIn(text))
  expect(english.length).toBeGreaterThan(500)
  expect(english.filter((word) => left.has(word))).toEqual([])
}

/** Names of our own and of languages, which are the same everywhere. */
const EVERYWHERE = ['seatwise', 'english']

/** Every single word of a catalogue, without the names that are filled in. */
function saidIn(group: object | string): string[] {
  if (typeof group === 'string') return wordsIn(group.replaceAll(/\{\w+\}/g, ' '))
  return Object.values(group).flatMap((part: object | string) => saidIn(part))
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []

/** What is seen and what is heard: text, labels, placeholders, the title. Runs in the page. */
function readEverything(): { lang: string; text: string } {
  const parts = [document.title, document.body.innerText]
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [alt], [title]')) {
    for (const name of ['aria-label', 'placeholder', 'alt', 'title']) parts.push(element.getAttribute(name) ?? '')
  }
  return { lang: document.documentElement.lang, text: parts.join('\n') }
}

/** Nothing scrolls sideways, and whatever can be pressed is large enough for a finger. */
export async function expectFitsPhone(page: Page, state: string): Promise<void> {
  const { tooWide, tooSmall } = await page.evaluate(measureTargets, TARGET_PX_MIN)
  expect({ state, tooWide, tooSmall }).toEqual({ state, tooWide: false, tooSmall: [] })
}

/** Runs in the page. A label is pressed in place of what it names; what stands in a sentence is as high as its lines. */
function measureTargets(minPx: number): { tooWide: boolean; tooSmall: string[] } {
  const tooSmall = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary')]
    .map((element) => element.closest('label') ?? element)
    .filter((element) => {
      const { width, height } = element.getBoundingClientRect()
      const isThere = width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true })
      const isInSentence = [...(element.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && /\w/.test(node.textContent ?? ''),
      )
      return isThere && !isInSentence && !element.matches('.skip') && (width < minPx || height < minPx)
    })
    .map((element) => `${element.outerHTML.slice(0, 120)} ${JSON.stringify(element.getBoundingClientRect())}`)
  return { tooWide: document.documentElement.scrollWidth > innerWidth, tooSmall }
}

import type { Language } from '../language.ts'
import { tellClock } from '../views/duration.ts'
import { type Plural, say } from '../words/say.ts'
import { readPageData } from './page-data.ts'

interface CountdownWords {
  readonly words: Readonly<Record<'days' | 'hours' | 'minutes' | 'seconds', Plural>>
}

const DAY = 86_400
const UNITS = [
  ['days', DAY, Number.POSITIVE_INFINITY],
  ['hours', 3_600, 24],
  ['minutes', 60, 60],
  ['seconds', 1, 60],
] as const

/** Counts down to the start of a sale, and shows the way in when it is there. */
export function showCountdown(): void {
  const element = document.querySelector<HTMLElement>('.countdown[data-until]')
  if (element === null) return
  const { words } = readPageData<CountdownWords>()
  const until = Date.parse(element.dataset.until ?? '')
  const language = document.documentElement.lang as Language
  const draw = (): void => {
    const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1000))
    const parts = UNITS.map(([name, size, modulo]) => ({ name, count: Math.floor(seconds / size) % modulo }))
    const shown = parts.filter(({ name, count }) => name !== 'days' || count > 0)
    element.replaceChildren(
      ...shown.map(({ name, count }) => unit(String(count), say(language, words[name], { count }))),
    )
    if (seconds > 0) return
    clearInterval(timer)
    document.querySelector('[data-when-open]')?.removeAttribute('hidden')
  }
  const timer = setInterval(draw, 1_000)
  draw()
}

function unit(count: string, name: string): HTMLElement {
  const element = document.createElement('span')
  const number = document.createElement('b')
  number.className = 'number'
  number.textContent = count
  element.append(number, ' ', name)
  return element
}

/** Clocks that run out: the server said how long, this device counts. When one is over, the server tells what now. */
export function runClocks(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-clock]')) {
    const endsAt = Date.now() + Number(element.dataset.clock)
    const timer = setInterval(() => {
      const left = endsAt - Date.now()
      element.textContent = tellClock(left)
      if (left > 0) return
      clearInterval(timer)
      location.reload()
    }, 1_000)
  }
}

import type { WaitFacts } from '../../views/wait-view.ts'
import { say } from '../../words/say.ts'
import type { Sound } from './sound.ts'

const BLINK_MS = 1_200

/** Calls a visitor who may be looking elsewhere: by sound, by a notification where allowed, and by the title of the tab. */
export function callTheVisitor({ language, words, name }: WaitFacts, sound: Sound): void {
  sound.play()
  const text = say(language, words.turnNews, { name })
  if (typeof Notification !== 'undefined' && Notification.permission === 'granted' && document.hidden) {
    try {
      new Notification(text, { tag: 'seatwise-turn', requireInteraction: true })
    } catch {
      // Some phones allow notifications but only from a service worker; the sound and the title remain.
    }
  }
  blinkTitle(words.turnTitle, text)
}

function blinkTitle(one: string, other: string): void {
  const timer = setInterval(() => {
    if (!document.hidden) return clearInterval(timer)
    document.title = document.title === one ? other : one
  }, BLINK_MS)
}

import type { ConsoleData } from '../../../pages/console/data.ts'
import { type Filling, say, type Word } from '../../../words/say.ts'
import { readPageData } from '../../page-data.ts'

/** What the server wrote into this page; it does not change while the page is open. */
export const page: ConsoleData = readPageData<ConsoleData>()
export const words: ConsoleData['words'] = page.words

export function tell(word: Word, filling?: Filling): string {
  return say(page.language, word, filling)
}

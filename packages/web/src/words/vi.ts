import { buy } from './vi/buy.ts'
import { consoleWords } from './vi/console.ts'
import { event } from './vi/event.ts'
import { seats } from './vi/seats.ts'
import { signIn } from './vi/sign-in.ts'
import { site } from './vi/site.ts'
import { trouble } from './vi/trouble.ts'
import { wait } from './vi/wait.ts'
import type { Words } from './words.ts'

export const vi: Words = { console: consoleWords, site, signIn, trouble, event, wait, seats, buy }

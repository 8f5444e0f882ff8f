import { buy } from './ko/buy.ts'
import { consoleWords } from './ko/console.ts'
import { event } from './ko/event.ts'
import { seats } from './ko/seats.ts'
import { signIn } from './ko/sign-in.ts'
import { site } from './ko/site.ts'
import { trouble } from './ko/trouble.ts'
import { wait } from './ko/wait.ts'
import type { Words } from './words.ts'

export const ko: Words = { console: consoleWords, site, signIn, trouble, event, wait, seats, buy }

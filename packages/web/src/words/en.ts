import { buy } from './en/buy.ts'
import { consoleWords } from './en/console.ts'
import { event } from './en/event.ts'
import { seats } from './en/seats.ts'
import { signIn } from './en/sign-in.ts'
import { site } from './en/site.ts'
import { trouble } from './en/trouble.ts'
import { wait } from './en/wait.ts'

export const en = { console: consoleWords, site, signIn, trouble, event, wait, seats, buy } as const

import { signIn } from './ko/sign-in.ts'
import { site } from './ko/site.ts'
import { trouble } from './ko/trouble.ts'
import type { Words } from './words.ts'

export const ko: Words = { site, signIn, trouble }

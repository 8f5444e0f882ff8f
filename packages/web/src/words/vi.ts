import { signIn } from './vi/sign-in.ts'
import { site } from './vi/site.ts'
import { trouble } from './vi/trouble.ts'
import type { Words } from './words.ts'

export const vi: Words = { site, signIn, trouble }

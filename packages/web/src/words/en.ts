import { signIn } from './en/sign-in.ts'
import { site } from './en/site.ts'
import { trouble } from './en/trouble.ts'

export const en = { site, signIn, trouble } as const

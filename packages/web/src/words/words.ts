import type { en } from './en.ts'
import type { Plural } from './say.ts'

type Shape<Group> = { readonly [Name in keyof Group]: Group[Name] extends string ? string : Shaped<Group[Name]> }
/** A group in which all names are plural forms is one sentence, not a group. */
type Shaped<Part> = keyof Part extends keyof Plural ? Plural : Shape<Part>

/** English decides which words there are; the other languages have to have the same. */
export type Words = Shape<typeof en>

import type { Language } from '../language.ts'
import { en } from './en.ts'
import { ko } from './ko.ts'
import { vi } from './vi.ts'
import type { Words } from './words.ts'

/** Every word of every page, by language. A language that lacks one does not compile. */
export const WORDS: Readonly<Record<Language, Words>> = { en, 'en-GB': en, ko, vi }

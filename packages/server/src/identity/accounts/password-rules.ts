import { readFileSync } from 'node:fs'
import { SeatwiseError } from '@seatwise/domain'
import { normalizePassword } from './password-hash.ts'

/** NIST SP 800-63B's minimum for a password that is throttled and checked against a list. */
const PASSWORD_LENGTH_MIN = 8
/** Long passphrases are welcome; a person does not type more than this. */
export const PASSWORD_BYTES_MAX = 256
const DISTINCT_CHARACTERS_MIN = 4
/** Shorter words occur in too many other words to mean anything. */
const CONTEXT_WORD_LENGTH_MIN = 4
/** How much of a password must remain when publicly known words about its owner are removed. */
const OWN_LENGTH_MIN = 6

/** Lines that start with # are comments. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')),
)

export interface PasswordOwner {
  readonly email: string
  readonly name: string
}

/** Length and guessability count; there are no rules about which characters to use. Throws WEAK_PASSWORD. */
export function requireGoodPassword(password: string, owner: PasswordOwner): void {
  const problem = findWeakness(password, owner)
  if (problem !== null)
    throw new SeatwiseError('WEAK_PASSWORD', { message: problem, details: { field: 'body/password' } })
}

/** A sentence that says what to improve; null for a good password. */
export function findWeakness(password: string, owner: PasswordOwner): string | null {
  const normal = normalizePassword(password)
  if ([...normal].length < PASSWORD_LENGTH_MIN) return `A password needs at least ${PASSWORD_LENGTH_MIN} characters`
  if (Buffer.byteLength(normal) > PASSWORD_BYTES_MAX) return `A password has at most ${PASSWORD_BYTES_MAX} bytes`
  if (!password.isWellFormed()) return 'A password must be text that can be typed again'
  const lower = normal.toLowerCase()
  if (new Set(lower).size < DISTINCT_CHARACTERS_MIN || isRun(lower)) return 'This password is a simple pattern'
  if (isCommon(lower)) return 'This password is among the first that anybody would try'
  if (isAboutOwner(lower, owner)) return 'This password is little more than your name, your address or ours'
  return null
}

/** "12345678", "hgfedcba": each character follows the one before it, in one direction. */
function isRun(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)))
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}

/** A listed word, also with digits or signs around it, also spelled like "p@ssw0rd", also repeated. */
function isCommon(lower: string): boolean {
  // Signs at the end are decoration; at the beginning they may stand for letters, as in "@dmin".
  const front = lower.replace(/\P{L}+$/u, '')
  const middle = front.replace(/^\P{L}+/u, '')
  return [lower, front, middle, asLetters(front), asLetters(middle)].some((word) => {
    const half = word.slice(0, word.length / 2)
    return COMMON_WORDS.has(word) || (half + half === word && COMMON_WORDS.has(half))
  })
}

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '@': 'a',
  4: 'a',
  3: 'e',
  1: 'i',
  '!': 'i',
  0: 'o',
  $: 's',
  5: 's',
  7: 't',
}

function asLetters(text: string): string {
  return text.replace(/[@4310!$57]/g, (sign) => LOOK_ALIKES[sign] ?? sign)
}

function isAboutOwner(lower: string, { email, name }: PasswordOwner): boolean {
  const words = `${email} ${name} seatwise`
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= CONTEXT_WORD_LENGTH_MIN)
    .toSorted((one, other) => other.length - one.length)
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), lower)
  return rest !== lower && rest.length < OWN_LENGTH_MIN
}

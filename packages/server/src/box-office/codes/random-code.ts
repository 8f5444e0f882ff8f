import { randomBytes } from 'node:crypto'

/** Crockford's alphabet, as in hand-over codes: no symbol looks like another one. Each symbol is five bits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 60 bits: an address has thirty wrong guesses, and one more every five seconds (B119). */
const GROUPS = 3
const GROUP_LENGTH = 4

/** A code that cannot be guessed, in groups that are easy to type: "4F7K-9Q2M-XH0C". */
export function randomCode(): string {
  const symbols = Array.from(randomBytes(GROUPS * GROUP_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return symbols.replace(/.{4}(?=.)/g, '$&-')
}

import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * `swk_`, 32 random characters and six that check them. Secret scanners know a key by its form and need not ask anybody; a
 * mistyped key is refused before it is looked up.
 */
const FORM = /^swk_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/
const SYMBOLS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECK_LENGTH = 6
/** Enough to tell keys of one organization apart, and too little to guess from. */
const ENDING_LENGTH = 4

export interface MadeKey {
  readonly key: string
  readonly hash: Buffer
  readonly ending: string
}

/** 190 bits of chance. */
export function makeApiKey(): MadeKey {
  const random = randomSymbols(RANDOM_LENGTH)
  const key = `swk_${random}${checkOf(random)}`
  return { key, hash: hashOf(key), ending: key.slice(-ENDING_LENGTH) }
}

/** The hash that the key is stored under, in hex; null for a text that is no key. */
export function readApiKey(text: string): string | null {
  const [, random = '', check] = FORM.exec(text) ?? []
  return check !== undefined && checkOf(random) === check ? hashOf(text).toString('hex') : null
}

/** A fast hash suffices: there is nothing to guess in random characters. */
const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

function checkOf(random: string): string {
  let rest = crc32(random)
  let text = ''
  while (text.length < CHECK_LENGTH) {
    text = `${SYMBOLS[rest % SYMBOLS.length]}${text}`
    rest = Math.floor(rest / SYMBOLS.length)
  }
  return text
}

/** Bytes that would make some symbols likelier than others are thrown away. */
function randomSymbols(length: number): string {
  const fair = 256 - (256 % SYMBOLS.length)
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < fair && text.length < length) text += SYMBOLS[byte % SYMBOLS.length]
    }
  }
  return text
}

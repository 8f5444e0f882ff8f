import { createHmac, type KeyObject, randomBytes } from 'node:crypto'
import { deriveKeys } from '../../identity/index.ts'

/** Long enough to pick up a phone and type. */
export const HANDOVER_SECONDS = 3 * 60
/** Crockford's alphabet: no letter that looks like another one or like a digit, and no U. Each symbol is five bits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 8

/**
 * Codes that a visitor types to move a place to another device. 40 bits are few: a code is valid in one room, for three
 * minutes and once, wrong guesses are limited (R35), and the ledger stores only a keyed hash.
 */
export interface HandoverCodes {
  draw(): string
  /** The hash by which a code is found, with the secret that signs now. */
  hash(room: string, code: string): string
  /** The same for a typed code, with every secret; null for text that cannot be a code. */
  hashesOf(room: string, typed: string): readonly string[] | null
}

export function createHandoverCodes(secrets: readonly Buffer[]): HandoverCodes {
  const [current, ...older] = deriveKeys(secrets, 'handover-code')
  const hash = (key: KeyObject, room: string, code: string): string =>
    createHmac('sha256', key).update(`${room} ${code}`).digest('base64url')
  return {
    draw: () => Array.from(randomBytes(CODE_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join(''),
    hash: (room, code) => hash(current.key, room, code),
    hashesOf(room, typed) {
      const code = readTyped(typed)
      return code === null ? null : [current, ...older].map(({ key }) => hash(key, room, code))
    },
  }
}

/** Ignores case, spaces and hyphens, and accepts letters that look like digits. */
function readTyped(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return code.length === CODE_LENGTH && [...code].every((symbol) => ALPHABET.includes(symbol)) ? code : null
}

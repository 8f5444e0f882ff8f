import { createHmac, type KeyObject, randomBytes } from 'node:crypto'
import { deriveKeys } from '../../identity/index.ts'

/** Long enough to pick up a phone and to type. */
export const HANDOVER_SECONDS = 3 * 60
/** Crockford's: no letter that is taken for another one or for a digit, and no U. Each symbol is five bits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 8

/**
 * Codes that a visitor types to take a place to another device. 40 bits are little: a code is good in one room, for three
 * minutes and once, wrong ones are limited (R35), and the ledger keeps only what a key makes of it.
 */
export interface HandoverCodes {
  draw(): string
  /** What a code is found by, under the secret that signs now. */
  hash(room: string, code: string): string
  /** The same for a code as it was typed, under every secret; null for what cannot be a code. */
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

/** Forgiving of case, spaces, hyphens, and of letters that look like digits. */
function readTyped(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return code.length === CODE_LENGTH && [...code].every((symbol) => ALPHABET.includes(symbol)) ? code : null
}

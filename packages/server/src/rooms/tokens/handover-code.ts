import { createHmac, type KeyObject, randomBytes } from 'node:crypto'
import { deriveKeys } from '../../identity/index.ts'
import { readSymbols, symbolOf } from './code-symbols.ts'

/** Long enough to pick up a phone and type. */
export const HANDOVER_SECONDS = 3 * 60
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
    draw: () => Array.from(randomBytes(CODE_LENGTH), symbolOf).join(''),
    hash: (room, code) => hash(current.key, room, code),
    hashesOf(room, typed) {
      const code = readTyped(typed)
      return code === null ? null : [current, ...older].map(({ key }) => hash(key, room, code))
    },
  }
}

function readTyped(typed: string): string | null {
  const code = readSymbols(typed)
  return code?.length === CODE_LENGTH ? code : null
}

import { randomBytes, randomInt } from 'node:crypto'
import { deriveKeys } from '../keys/derive-key.ts'
import { Mac } from '../keys/mac.ts'

/** What is hashed; the same text has another hash for each. */
type Kind = 'code' | 'link' | 'asker' | 'sender' | 'recovery'

const CODE_DIGITS = 8
const SECRET_BYTES = 32
const LINK_SHAPE = /^([\da-f]{32})([\w-]{43})$/

/** Draws what is mailed for signing in, and hashes it under the secrets. The plain texts are stored nowhere. */
export interface LinkSecrets {
  /** Under the first secret: for storing. */
  hash(kind: Kind, text: string): string
  /** Under every secret: for comparing. */
  hashes(kind: Kind, text: string): readonly string[]
}

export function createLinkSecrets(secrets: readonly Buffer[]): LinkSecrets {
  const [first, ...older] = deriveKeys(secrets, 'sign-in-mail').map(({ key }) => new Mac(key))
  if (first === undefined) throw new Error('At least one secret is needed to hash codes.')
  const hash = (mac: Mac, kind: Kind, text: string): string => mac.of(`${kind}\n${text}`, 'base64url')
  return {
    hash: (kind, text) => hash(first, kind, text),
    hashes: (kind, text) => [first, ...older].map((mac) => hash(mac, kind, text)),
  }
}

/** Every code is as likely as any other. */
export function drawCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
}

export function drawSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** The last part of a link's address: which mail it is, and the secret that proves that one has it. */
export function writeLinkToken(id: string, secret: string): string {
  return id.replaceAll('-', '') + secret
}

export function readLinkToken(token: string): { readonly id: string; readonly secret: string } | null {
  const [, hex, secret] = LINK_SHAPE.exec(token) ?? []
  if (hex === undefined || secret === undefined) return null
  return { id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), secret }
}

/** Without letters that look like digits. */
const RECOVERY_SYMBOLS = 'abcdefghjkmnpqrstuvwxyz23456789'
const RECOVERY_LENGTH = 12

/** 59 bits: too many to guess, and short enough to write down. */
export function drawRecoveryCode(): string {
  const symbols = Array.from({ length: RECOVERY_LENGTH }, () => RECOVERY_SYMBOLS[randomInt(RECOVERY_SYMBOLS.length)])
  return symbols.join('').replace(/^(.{4})(.{4})(.{4})$/, '$1-$2-$3')
}

/** A code as people type it: blanks, dashes and capitals do not count. */
export const normalizeCode = (text: string): string => text.normalize('NFKC').replaceAll(/[\s-]/g, '').toLowerCase()

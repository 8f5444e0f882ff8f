import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKeys } from '../../keys/derive-key.ts'
import type { TicketClaims } from '../room.ts'
import type { TicketTokens } from './ticket-token.ts'

/** Long enough to pick up a phone and point it at a screen. */
export const HANDOVER_MS = 3 * 60_000
const MAC_BYTES = 12
const CODE_LENGTH_MAX = 200

/**
 * The code that takes a place to another device: the ticket token itself with an end and a MAC of its own, so that
 * nothing has to be stored, and a code alone is not a ticket.
 */
export interface HandoverCodes {
  issue(ticket: TicketClaims, expiresAt: number): string
  /** The ticket and the end of the code; null for whatever is not a code of ours. */
  read(code: string): { ticket: TicketClaims; expiresAt: number } | null
}

export function createHandoverCodes(secrets: readonly Buffer[], tokens: TicketTokens): HandoverCodes {
  const keys = deriveKeys(secrets, 'handover-code').map(({ key }) => key)
  const [current] = keys
  if (current === undefined) throw new Error('deriveKeys gave no key')
  const mac = (key: typeof current, text: string) =>
    createHmac('sha256', key).update(text).digest().subarray(0, MAC_BYTES)
  return {
    issue(ticket, expiresAt) {
      const text = `${expiresAt.toString(36)}.${tokens.issue(ticket)}`
      return `${text}.${mac(current, text).toString('base64url')}`
    },
    read(code) {
      if (code.length > CODE_LENGTH_MAX) return null
      const end = code.lastIndexOf('.')
      const given = Buffer.from(code.slice(end + 1), 'base64url')
      const text = code.slice(0, Math.max(0, end))
      // A second spelling of the same bytes is not accepted.
      if (given.length !== MAC_BYTES || given.toString('base64url') !== code.slice(end + 1)) return null
      if (!keys.some((key) => timingSafeEqual(mac(key, text), given))) return null
      const [expires = '', token = ''] = text.split('.', 2)
      const ticket = tokens.read(token)
      return ticket === null ? null : { ticket, expiresAt: Number.parseInt(expires, 36) }
    },
  }
}

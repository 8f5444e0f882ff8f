import { randomUUID } from 'node:crypto'
import { askForSignIn } from '@seatwise/ledger'
import { requireEmail } from '../accounts/email-address.ts'
import type { IdentityServices } from '../identity.ts'

export interface LinkWish {
  readonly email: string
  /** Of the mail. */
  readonly language: string
  /** The secret in the cookie of the browser that asks; null for a program. */
  readonly asker?: string | null
  /** The path that the visitor wanted. */
  readonly next?: string
}

/**
 * Sends a mail that signs in to this address, whether or not it has an account: what happens, and what the answer tells,
 * is the same. Throws BAD_REQUEST, or TOO_MANY_REQUESTS after many mails to one address.
 */
export async function askForLink(
  { config, ledger, identity }: Pick<IdentityServices, 'config' | 'ledger' | 'identity'>,
  { email, language, asker = null, next = '/' }: LinkWish,
): Promise<void> {
  const { address, key } = requireEmail(email)
  if (config.rateLimits) identity.mailLimits.require(key)
  const askerHash = asker === null ? null : identity.links.hash('asker', asker)
  await askForSignIn(ledger, { id: randomUUID(), email: address, emailKey: key, language, askerHash, next })
}

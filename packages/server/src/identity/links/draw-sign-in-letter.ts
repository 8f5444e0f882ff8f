import { keepSignInHashes, type Ledger } from '@seatwise/ledger'
import { drawCode, drawSecret, type LinkSecrets, writeLinkToken } from './link-secrets.ts'

export interface SignInLetter {
  readonly address: string
  readonly language: string
  readonly code: string
  /** The path of the link. */
  readonly path: string
}

/** Draws code and link of a mail that is sent right after; null when it is no longer needed. */
export async function drawSignInLetter(
  { db }: Ledger,
  secrets: LinkSecrets,
  mailId: string,
): Promise<SignInLetter | null> {
  const [code, secret] = [drawCode(), drawSecret()]
  const hashes = { codeHash: secrets.hash('code', code), linkHash: secrets.hash('link', secret) }
  const mail = await keepSignInHashes(db, { id: mailId, ...hashes })
  if (mail === null) return null
  return { address: mail.email, language: mail.language, code, path: `/sign-in/link/${writeLinkToken(mailId, secret)}` }
}

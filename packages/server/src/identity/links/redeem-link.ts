import { randomUUIDv7 } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import {
  openVerifiedAccount,
  readAskedSignIn,
  readSignInLink,
  type SignInMail,
  trySignInCode,
  useSignInMail,
} from '@seatwise/ledger'
import { senderOf } from '../../http/index.ts'
import { openSession, type Session } from '../accounts/account.ts'
import type { Adoption } from '../accounts/adoption.ts'
import { parseEmail } from '../accounts/email-address.ts'
import { nameFromAddress } from '../accounts/profile-fields.ts'
import type { Comer } from '../accounts/sign-in.ts'
import type { IdentityServices } from '../identity.ts'
import { TOKEN_VALID_SECONDS_MAX } from '../sessions/access-token.ts'
import { normalizeCode, readLinkToken } from './link-secrets.ts'

type Needs = Pick<IdentityServices, 'ledger' | 'identity'> & { readonly adoption: Adoption }

export interface TypedCode {
  readonly email: string
  readonly code: string
}

/** Signs in with the code of a mail; makes the account if there is none. Throws CODE_WRONG. */
export async function redeemCode(services: Needs, typed: TypedCode, comer: Comer): Promise<Session> {
  const id = await findByCode(services, typed, comer.address)
  if (id === null) throw new SeatwiseError('CODE_WRONG')
  return await redeemMail(services, id, comer)
}

/** The id of the mail with this code. Counts a try, and does the same work for every address. */
export async function findByCode(
  { ledger, identity }: Pick<Needs, 'ledger' | 'identity'>,
  { email, code }: TypedCode,
  address: string,
): Promise<string | null> {
  return await trySignInCode(ledger.db, {
    emailKey: parseEmail(email)?.key ?? '',
    codeHashes: identity.links.hashes('code', normalizeCode(code)),
    senderHash: identity.links.hash('sender', senderOf(address)),
  })
}

/** The mail that a link is from; null for a link that is over or was used. */
export async function findByLink(
  { ledger, identity }: Pick<Needs, 'ledger' | 'identity'>,
  token: string,
): Promise<SignInMail | null> {
  const link = readLinkToken(token)
  return link === null ? null : await readSignInLink(ledger.db, link.id, identity.links.hashes('link', link.secret))
}

/** The mail that the browser with this secret asked for last. */
export async function findByAsker(
  { ledger, identity }: Pick<Needs, 'ledger' | 'identity'>,
  asker: string,
): Promise<SignInMail | null> {
  return await readAskedSignIn(ledger.db, identity.links.hashes('asker', asker))
}

/** Uses a mail up and begins a session of the account with its address. Throws CODE_WRONG when another call did. */
export async function redeemMail(services: Needs, mailId: string, comer: Comer): Promise<Session> {
  const { identity, adoption } = services
  const { account, ...brought } = await adoption.withGuest(comer.guestToken, async (db) => {
    const mail = await useSignInMail(db, mailId)
    if (mail === null) throw new SeatwiseError('CODE_WRONG')
    const proposed = {
      ...{ id: randomUUIDv7(), email: mail.email, email_key: mail.emailKey, password_hash: null },
      ...{ name: nameFromAddress(mail.email), role: 'buyer' as const },
    }
    return await openVerifiedAccount(db, proposed, TOKEN_VALID_SECONDS_MAX)
  })
  // A new proof may have ended the account's older sessions: they are refused here from now on.
  await identity.ended.refresh()
  return { ...(await openSession(services, account, { method: 'link', device: comer.device })), ...brought }
}

import { SeatwiseError } from '@seatwise/domain'
import { keepChallenge, notePasskeyUse, type Passkey, type Row, readPasskey, useChallenge } from '@seatwise/ledger'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server'
import { openSession, type Session } from '../accounts/account.ts'
import type { Adoption } from '../accounts/adoption.ts'
import type { Comer } from '../accounts/sign-in.ts'
import type { IdentityServices } from '../identity.ts'
import type { RelyingParty } from './relying-party.ts'

type Needs = Pick<IdentityServices, 'ledger' | 'identity'> & { readonly adoption: Adoption }

/** What `navigator.credentials.get` is called with: the authenticator knows whose keys it has. */
export async function askForPasskey(
  { ledger }: Pick<Needs, 'ledger'>,
  party: RelyingParty,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const options = await generateAuthenticationOptions({ rpID: party.id, userVerification: 'required' })
  await keepChallenge(ledger.db, { challenge: options.challenge, userId: null })
  return options
}

/** Signs in with a passkey; its account gets what the visitor owned as a guest. Throws BAD_CREDENTIALS. */
export async function signInByPasskey(
  services: Needs,
  credential: AuthenticationResponseJSON,
  party: RelyingParty,
  comer: Comer,
): Promise<Session> {
  const { userId } = await verifyPasskey(services, credential, party)
  const { account, ...brought } = await services.adoption.withGuest(comer.guestToken, async (db) => {
    const user = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()
    if (user === undefined) throw new SeatwiseError('BAD_CREDENTIALS')
    return user satisfies Row<'users'>
  })
  return { ...(await openSession(services, account, { method: 'passkey', device: comer.device })), ...brought }
}

/** The passkey that signed a challenge of ours; throws BAD_CREDENTIALS for every other answer. */
export async function verifyPasskey(
  { ledger }: Pick<Needs, 'ledger'>,
  credential: AuthenticationResponseJSON,
  party: RelyingParty,
): Promise<Passkey> {
  const passkey = typeof credential.id === 'string' ? await readPasskey(ledger.db, credential.id) : null
  if (passkey === null) throw unknown()
  const { id, publicKey, counter, transports } = passkey
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credential,
      expectedChallenge: async (challenge) => (await useChallenge(ledger.db, challenge))?.userId === null,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        ...{ id, counter: Number(counter), transports: [...transports] },
        publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
      },
    })
    if (verified && (await notePasskeyUse(ledger.db, id, authenticationInfo.newCounter))) return passkey
  } catch (cause) {
    throw unknown(cause)
  }
  throw unknown()
}

function unknown(cause?: unknown): SeatwiseError {
  return new SeatwiseError('BAD_CREDENTIALS', { message: 'This passkey is not known here', cause })
}

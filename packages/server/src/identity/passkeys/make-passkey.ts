import { SeatwiseError } from '@seatwise/domain'
import {
  countRecoveryCodes,
  inTransaction,
  keepChallenge,
  keepPasskey,
  listPasskeys,
  noteStrong,
  type Passkey,
  replaceRecoveryCodes,
  useChallenge,
} from '@seatwise/ledger'
import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { Actor } from '../../http/index.ts'
import { readUser } from '../accounts/confirm.ts'
import { requireName } from '../accounts/profile-fields.ts'
import type { IdentityServices } from '../identity.ts'
import { drawRecoveryCode, normalizeCode } from '../links/link-secrets.ts'
import { refuseWeakKeeper } from './refuse-weak-keeper.ts'
import type { RelyingParty } from './relying-party.ts'

type Needs = Pick<IdentityServices, 'ledger' | 'identity'>

/** More than a person has devices. */
const PASSKEYS_MAX = 20
const RECOVERY_CODES = 10

/** What `navigator.credentials.create` is called with. */
export async function offerPasskey(
  { ledger }: Pick<Needs, 'ledger'>,
  actor: Actor,
  party: RelyingParty,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  await refuseWeakKeeper({ ledger }, actor)
  const user = await readUser({ ledger }, actor)
  const known = await listPasskeys(ledger.db, user.id)
  const options = await generateRegistrationOptions({
    rpName: 'Seatwise',
    rpID: party.id,
    userName: user.email,
    userDisplayName: user.name,
    userID: new Uint8Array(Buffer.from(user.id.replaceAll('-', ''), 'hex')),
    attestationType: 'none',
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    // Discoverable, so that signing in needs no address; verified, so that a stolen device is not enough.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keepChallenge(ledger.db, { challenge: options.challenge, userId: user.id })
  return options
}

export interface MadePasskey {
  readonly passkey: Passkey
  /** Shown once; null when the account has some already. */
  readonly recoveryCodes: readonly string[] | null
}

/** Keeps the passkey that an authenticator made. Throws BAD_REQUEST when it is not one that was just asked for. */
export async function makePasskey(
  services: Needs,
  actor: Actor,
  party: RelyingParty,
  { name, credential }: { readonly name: string; readonly credential: RegistrationResponseJSON },
): Promise<MadePasskey> {
  const { ledger } = services
  await refuseWeakKeeper(services, actor)
  const called = requireName(name)
  const made = await verify(services, actor, party, credential)
  const passkey = await inTransaction(ledger, async ({ db }) => {
    const { id, publicKey, counter, transports = [] } = made
    const key = Buffer.from(publicKey).toString('base64url')
    const row = { id, userId: actor.id, name: called, publicKey: key, counter, transports }
    return await keepPasskey(db, row, PASSKEYS_MAX)
  })
  if (passkey === null) throw notAccepted('This passkey exists already, or you have too many')
  if (actor.session !== undefined) await noteStrong(ledger.db, actor.session.id)
  const hasCodes = (await countRecoveryCodes(ledger.db, actor.id)) > 0
  return { passkey, recoveryCodes: hasCodes ? null : await makeRecoveryCodes(services, actor.id) }
}

/** New recovery codes for the caller's account; the earlier ones are no longer good. */
export async function replaceRecoveryCodesOf(services: Needs, actor: Actor): Promise<readonly string[]> {
  await refuseWeakKeeper(services, actor)
  return await makeRecoveryCodes(services, actor.id)
}

async function makeRecoveryCodes({ ledger, identity }: Needs, userId: string): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => drawRecoveryCode())
  const hashes = codes.map((code) => identity.links.hash('recovery', `${userId} ${normalizeCode(code)}`))
  await inTransaction(ledger, ({ db }) => replaceRecoveryCodes(db, userId, hashes))
  return codes
}

async function verify({ ledger }: Needs, actor: Actor, party: RelyingParty, credential: RegistrationResponseJSON) {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: credential,
      expectedChallenge: async (challenge) => (await useChallenge(ledger.db, challenge))?.userId === actor.id,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    })
    if (verified) return registrationInfo.credential
  } catch (cause) {
    throw notAccepted('This passkey could not be made: try again', cause)
  }
  throw notAccepted('This passkey could not be made: try again')
}

function notAccepted(message: string, cause?: unknown): SeatwiseError {
  return new SeatwiseError('BAD_REQUEST', { message, cause, details: { field: 'body/credential' } })
}

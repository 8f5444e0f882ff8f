import { SeatwiseError } from '@seatwise/domain'
import { listPasskeys, type Passkey, renamePasskey } from '@seatwise/ledger'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import Type from 'typebox'
import { ACCOUNT_ROLES, type App, actorOf } from '../../http/index.ts'
import { Session } from '../accounts/account.ts'
import type { Adoption } from '../accounts/adoption.ts'
import { requireName } from '../accounts/profile-fields.ts'
import { Credentials, GuestHeader } from '../accounts/schemas.ts'
import { comerOf } from '../accounts/sign-in.ts'
import type { IdentityServices } from '../identity.ts'
import { LINK_LIMIT, REDEEM_LIMIT } from '../links/routes.ts'
import { Assertion } from './assertion.ts'
import { makePasskey, offerPasskey, replaceRecoveryCodesOf } from './make-passkey.ts'
import { signInByRecoveryCode } from './recover.ts'
import { relyingPartyOf } from './relying-party.ts'
import { removePasskey } from './remove-passkey.ts'
import { askForPasskey, signInByPasskey } from './use-passkey.ts'

const strict = { additionalProperties: false }
const tags = ['accounts']
const ofAccounts = { access: ACCOUNT_ROLES } as const

/** As `PublicKeyCredential.toJSON()` writes it; the library reads it. */
const WIRE_EXAMPLE = { id: 'kR3f…', rawId: 'kR3f…', type: 'public-key', response: {}, clientExtensionResults: {} }
const Registration = Type.Unsafe<RegistrationResponseJSON>(
  Type.Record(Type.String(), Type.Unknown(), { description: 'What the browser returned, as JSON' }),
)
const Name = Type.String({ maxLength: 400 })
const KeyId = Type.Object({ id: Type.String({ maxLength: 1_400 }) })
const ShownPasskey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  lastUsedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
})
const EXAMPLE = { id: 'kR3f…', name: 'My phone', createdAt: '2026-11-15T10:00:00.000Z', lastUsedAt: null }
const RecoveryCodes = Type.Array(Type.String(), { description: 'Shown once; each is good once' })
const OptionsForBrowser = Type.Record(Type.String(), Type.Unknown(), {
  description: 'For navigator.credentials, as JSON',
  examples: [{ challenge: 'mB4…', rpId: 'localhost', userVerification: 'required' }],
})

type Services = IdentityServices & { readonly adoption: Adoption }

/** Passkeys: making, naming and deleting them, signing in with one, and recovery codes for when it is lost. */
export function passkeyRoutes(app: App, services: Services): void {
  makingRoutes(app, services)
  keepingRoutes(app, services)
  signInRoutes(app, services)
}

function makingRoutes(app: App, services: Services): void {
  app.post(
    '/api/auth/passkeys/options',
    {
      config: { ...ofAccounts, fresh: true },
      schema: {
        tags,
        operationId: 'offerPasskey',
        summary: 'Begin to make a passkey',
        response: { 200: OptionsForBrowser },
      },
    },
    async (request) => {
      const options = await offerPasskey(services, actorOf(request), relyingPartyOf(services.config, request))
      return { ...options }
    },
  )
  app.post(
    '/api/auth/passkeys',
    {
      config: { ...ofAccounts, fresh: true },
      schema: {
        tags,
        operationId: 'makePasskey',
        summary: 'Keep the passkey that the browser made',
        description: 'With the first one the answer has recovery codes, which are shown once.',
        body: Type.Object(
          { name: Name, credential: Registration },
          { ...strict, examples: [{ name: 'My phone', credential: WIRE_EXAMPLE }] },
        ),
        response: {
          201: Type.Object(
            { ...ShownPasskey.properties, recoveryCodes: Type.Optional(RecoveryCodes) },
            { examples: [{ ...EXAMPLE, recoveryCodes: ['k7m2-9xq4-wn3v'] }] },
          ),
        },
      },
    },
    async (request, reply) => {
      const party = relyingPartyOf(services.config, request)
      const { passkey, recoveryCodes } = await makePasskey(services, actorOf(request), party, request.body)
      const codes = recoveryCodes === null ? {} : { recoveryCodes: [...recoveryCodes] }
      return reply.code(201).send({ ...show(passkey), ...codes })
    },
  )
  app.post(
    '/api/auth/recovery-codes',
    {
      config: { ...ofAccounts, fresh: true },
      schema: {
        tags,
        operationId: 'makeRecoveryCodes',
        summary: 'Make new recovery codes; the earlier ones are no longer good',
        response: { 201: Type.Object({ codes: RecoveryCodes }, { examples: [{ codes: ['k7m2-9xq4-wn3v'] }] }) },
      },
    },
    async (request, reply) => {
      const codes = await replaceRecoveryCodesOf(services, actorOf(request))
      return reply.code(201).send({ codes: [...codes] })
    },
  )
}

function keepingRoutes(app: App, { ledger }: Services): void {
  const found = (isFound: boolean): void => {
    if (!isFound) throw new SeatwiseError('NOT_FOUND', { message: 'You have no such passkey' })
  }
  app.get(
    '/api/auth/passkeys',
    {
      config: ofAccounts,
      schema: {
        tags,
        operationId: 'listPasskeys',
        summary: 'One’s own passkeys',
        response: { 200: Type.Object({ items: Type.Array(ShownPasskey) }, { examples: [{ items: [EXAMPLE] }] }) },
      },
    },
    async (request) => ({ items: (await listPasskeys(ledger.db, actorOf(request).id)).map(show) }),
  )
  app.patch(
    '/api/auth/passkeys/:id',
    {
      config: ofAccounts,
      schema: {
        tags,
        operationId: 'renamePasskey',
        summary: 'Name a passkey',
        params: KeyId,
        body: Type.Object({ name: Name }, { ...strict, examples: [{ name: 'My old phone' }] }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      found(await renamePasskey(ledger.db, actorOf(request).id, request.params.id, requireName(request.body.name)))
      return reply.code(204).send(null)
    },
  )
  app.delete(
    '/api/auth/passkeys/:id',
    {
      config: { ...ofAccounts, fresh: true },
      schema: {
        tags,
        operationId: 'deletePasskey',
        summary: 'Delete a passkey',
        params: KeyId,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      found(await removePasskey({ ledger }, actorOf(request), request.params.id))
      return reply.code(204).send(null)
    },
  )
}

function signInRoutes(app: App, services: Services): void {
  app.post(
    '/api/auth/passkeys/sign-in/options',
    {
      config: { access: 'public', rateLimit: LINK_LIMIT },
      schema: {
        tags,
        operationId: 'askForPasskey',
        summary: 'Begin to sign in with a passkey',
        response: { 200: OptionsForBrowser },
      },
    },
    async (request) => ({ ...(await askForPasskey(services, relyingPartyOf(services.config, request))) }),
  )
  app.post(
    '/api/auth/passkeys/sign-in',
    {
      config: { access: 'public', rateLimit: LINK_LIMIT },
      schema: {
        tags,
        operationId: 'signInByPasskey',
        summary: 'Sign in with a passkey',
        headers: GuestHeader,
        body: Type.Object({ credential: Assertion }, { ...strict, examples: [{ credential: WIRE_EXAMPLE }] }),
        response: { 200: Session },
      },
    },
    async (request) => {
      const party = relyingPartyOf(services.config, request)
      const comer = comerOf(request, request.headers['seatwise-guest'])
      return await signInByPasskey(services, request.body.credential, party, comer)
    },
  )
  app.post(
    '/api/auth/recovery',
    {
      config: { access: 'public', rateLimit: REDEEM_LIMIT },
      schema: {
        tags,
        operationId: 'recover',
        summary: 'Sign in with a recovery code',
        headers: GuestHeader,
        body: Type.Object(
          { email: Credentials.properties.email, code: Type.String({ maxLength: 60 }) },
          { ...strict, examples: [{ email: 'ada@example.com', code: 'k7m2-9xq4-wn3v' }] },
        ),
        response: { 200: Session },
      },
    },
    async (request) =>
      await signInByRecoveryCode(services, request.body, comerOf(request, request.headers['seatwise-guest'])),
  )
}

function show({ id, name, madeAt, usedAt }: Passkey) {
  return { id, name, createdAt: madeAt.toISOString(), lastUsedAt: usedAt?.toISOString() ?? null }
}

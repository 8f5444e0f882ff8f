import { SeatwiseError } from '@seatwise/domain'
import { codesPage, recoveryPage, signInPage } from '@seatwise/web'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { ACCOUNT_ROLES, type App, actorOf } from '../../../http/index.ts'
import {
  Credentials,
  comerOf,
  LINK_LIMIT,
  makePasskey,
  REDEEM_LIMIT,
  readSessionCookie,
  relyingPartyOf,
  replaceRecoveryCodesOf,
  signInByPasskey,
  signInByRecoveryCode,
} from '../../../identity/index.ts'
import { ButtonForm, formOf, NextField } from '../forms.ts'
import { ownPath } from '../own-path.ts'
import { queryOf } from '../page-kit.ts'
import type { PageParts } from '../page-parts.ts'
import { keepArrival } from './keep-arrival.ts'
import { waysIn } from './ways-in.ts'

const everybody = { access: 'public' } as const
const hidden = { hide: true } as const
/** Of JSON, which the script writes. */
const CREDENTIAL_LENGTH_MAX = 16_000
export const CredentialField = Type.String({ maxLength: CREDENTIAL_LENGTH_MAX })

const UseFields = formOf({ credential: CredentialField, next: NextField })
const MakeFields = formOf({ credential: CredentialField, name: Type.String({ maxLength: 400 }), next: NextField })
const RecoveryFields = formOf({
  email: Credentials.properties.email,
  code: Type.String({ maxLength: 60 }),
  next: NextField,
})
type UseRequest = FastifyRequest<{ Body: Static<typeof UseFields> }>
type MakeRequest = FastifyRequest<{ Body: Static<typeof MakeFields> }>
type RecoveryRequest = FastifyRequest<{ Body: Static<typeof RecoveryFields> }>

/** Signing in with a passkey or a recovery code, and making both. */
export function passkeyPages(app: App, parts: PageParts): void {
  const { kit, config } = parts
  app.post(
    '/sign-in/passkey',
    { config: { ...everybody, rateLimit: LINK_LIMIT }, schema: { ...hidden, body: UseFields } },
    async (request: UseRequest, reply) => {
      const next = ownPath(request.body.next)
      try {
        const credential = readCredential<AuthenticationResponseJSON>(request.body.credential)
        const party = relyingPartyOf(config, request)
        const comer = comerOf(request, readSessionCookie(config, request) ?? undefined)
        keepArrival(parts, request, reply, await signInByPasskey(parts, credential, party, comer))
        return reply.redirect(next, 303)
      } catch (error) {
        if (!(error instanceof SeatwiseError) || error.status >= 429) throw error
        const form = { kind: 'known', next, email: '', name: '', problem: 'passkeyFailed', ...waysIn(parts) } as const
        return kit.send(request, reply, signInPage(kit.languageOf(request), form), 422)
      }
    },
  )
  makingPages(app, parts)
  recoveryPages(app, parts)
}

/** What the script wrote into a field; what is in it is checked like that of the API. */
export function readCredential<Credential>(text: string): Credential {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Credential
  } catch (cause) {
    throw new SeatwiseError('BAD_REQUEST', { cause })
  }
  throw new SeatwiseError('BAD_REQUEST')
}

function makingPages(app: App, parts: PageParts): void {
  const { kit, config } = parts
  const fresh = { access: ACCOUNT_ROLES, fresh: true } as const
  const showCodes = (request: FastifyRequest, reply: FastifyReply, codes: readonly string[], next = '/account') =>
    kit.send(request, reply, codesPage(kit.languageOf(request), codes, next))
  app.post(
    '/account/passkeys',
    { config: fresh, schema: { ...hidden, body: MakeFields } },
    async (request: MakeRequest, reply) => {
      const { name } = request.body
      // Who was led here to go on has said where to.
      const next = request.body.next === undefined ? null : ownPath(request.body.next)
      try {
        const credential = readCredential<RegistrationResponseJSON>(request.body.credential)
        const party = relyingPartyOf(config, request)
        const { recoveryCodes } = await makePasskey(parts, actorOf(request), party, { name, credential })
        if (recoveryCodes !== null) return showCodes(request, reply, recoveryCodes, next ?? undefined)
      } catch (error) {
        if (!(error instanceof SeatwiseError) || error.code !== 'BAD_REQUEST') throw error
        const strong = `/sign-in/strong?${new URLSearchParams({ failed: '1', next: next ?? '' })}`
        return reply.redirect(next === null ? '/account?failed=passkey#passkeys' : strong, 303)
      }
      return reply.redirect(next ?? '/account#passkeys', 303)
    },
  )
  app.post(
    '/account/recovery-codes',
    { config: fresh, schema: { ...hidden, body: ButtonForm } },
    async (request, reply) => showCodes(request, reply, await replaceRecoveryCodesOf(parts, actorOf(request))),
  )
}

function recoveryPages(app: App, parts: PageParts): void {
  const { kit, config } = parts
  app.get('/sign-in/recovery', { config: everybody, schema: hidden }, (request, reply) => {
    const form = { email: '', next: ownPath(queryOf(request, 'next')), problem: null }
    return kit.send(request, reply, recoveryPage(kit.languageOf(request), form))
  })
  app.post(
    '/sign-in/recovery',
    { config: { ...everybody, rateLimit: REDEEM_LIMIT }, schema: { ...hidden, body: RecoveryFields } },
    async (request: RecoveryRequest, reply) => {
      const { email, code } = request.body
      const next = ownPath(request.body.next)
      try {
        const comer = comerOf(request, readSessionCookie(config, request) ?? undefined)
        keepArrival(parts, request, reply, await signInByRecoveryCode(parts, { email, code }, comer))
        return reply.redirect(next, 303)
      } catch (error) {
        const problem = error instanceof SeatwiseError ? PROBLEMS[error.code] : undefined
        if (problem === undefined) throw error
        return kit.send(request, reply, recoveryPage(kit.languageOf(request), { email, next, problem }), 422)
      }
    },
  )
}

const PROBLEMS: Readonly<Record<string, 'codeWrong' | 'tooOften'>> = {
  CODE_WRONG: 'codeWrong',
  TOO_MANY_REQUESTS: 'tooOften',
}

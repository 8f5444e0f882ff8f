import Type from 'typebox'
import { ACCOUNT_ROLES, type App, actorOf } from '../../http/index.ts'
import { confirmPresence } from '../accounts/confirm.ts'
import { replacePassword } from '../accounts/replace-password.ts'
import type { IdentityServices } from '../identity.ts'
import { Assertion } from '../passkeys/assertion.ts'
import { relyingPartyOf } from '../passkeys/relying-party.ts'
import { dropSession } from './session-cookie.ts'
import { endOwnSession, listOwnSessions } from './session-list.ts'
import { signOut, signOutEverywhere } from './sign-out.ts'

const PasswordChange = Type.Object(
  {
    // Only bounds the work of normalising; the rules are in password-rules.ts.
    password: Type.String({ maxLength: 1_024, description: 'The new one' }),
    current: Type.Optional(
      Type.String({ maxLength: 1_024, description: 'Not needed within 15 minutes of signing in by link' }),
    ),
  },
  { additionalProperties: false, examples: [{ password: 'ten brown bottles', current: 'nine green bottles' }] },
)

const Confirmation = Type.Union(
  [
    Type.Object({ password: Type.String({ maxLength: 1_024 }) }, { additionalProperties: false }),
    Type.Object(
      { code: Type.String({ maxLength: 40, description: 'Of a mail to the account’s own address' }) },
      { additionalProperties: false },
    ),
    Type.Object({ credential: Assertion }, { additionalProperties: false }),
  ],
  { examples: [{ password: 'nine green bottles' }] },
)

const SessionList = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        method: Type.Enum(['password', 'link', 'passkey', 'openid', 'recovery']),
        device: Type.String({ description: 'Browser and system; empty where they are not known' }),
        createdAt: Type.String({ format: 'date-time' }),
        lastUsedAt: Type.String({ format: 'date-time', description: 'A quarter of an hour coarse' }),
        current: Type.Boolean({ description: 'The session of this request' }),
      }),
    ),
  },
  {
    examples: [
      {
        items: [
          {
            ...{ id: '0193a7c2-5f1e-4b60-9d2c-6a5f0c7e4b11', method: 'link', device: 'Firefox · Linux' },
            ...{ createdAt: '2026-11-15T10:00:00.000Z', lastUsedAt: '2026-11-15T10:30:00.000Z', current: true },
          },
        ],
      },
    ],
  },
)

const tags = ['accounts']
const ofAccounts = { access: ACCOUNT_ROLES } as const

/** How sessions end: by signing out on one device or on all, and by a new password. */
export function sessionRoutes(app: App, services: IdentityServices): void {
  app.post(
    '/api/auth/logout',
    {
      config: ofAccounts,
      schema: { tags, operationId: 'signOut', summary: 'Sign out', response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await signOut(services, actorOf(request))
      dropSession(services.config, request, reply)
      return reply.code(204).send(null)
    },
  )
  app.post(
    '/api/auth/logout-everywhere',
    {
      config: ofAccounts,
      schema: {
        tags,
        operationId: 'signOutEverywhere',
        summary: 'End all of one’s sessions',
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await signOutEverywhere(services, actorOf(request).id)
      dropSession(services.config, request, reply)
      return reply.code(204).send(null)
    },
  )
  app.put(
    '/api/auth/password',
    {
      config: ofAccounts,
      schema: {
        tags,
        operationId: 'replacePassword',
        summary: 'Set or replace one’s own password, which ends every other session',
        body: PasswordChange,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await replacePassword(services, actorOf(request), request.body, request.ip)
      return reply.code(204).send(null)
    },
  )
  confirmRoute(app, services)
  listRoutes(app, services)
}

function confirmRoute(app: App, services: IdentityServices): void {
  app.post(
    '/api/auth/confirm',
    {
      config: ofAccounts,
      schema: {
        tags,
        operationId: 'confirmPresence',
        summary: 'Confirm that it is you, with the password, the code of a mail or a passkey',
        description: 'Acts that answer FRESH_SIGN_IN_NEEDED are possible for the next 15 minutes.',
        body: Confirmation,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { body } = request
      const shown = 'credential' in body ? { ...body, party: relyingPartyOf(services.config, request) } : body
      await confirmPresence(services, actorOf(request), shown, request.ip)
      return reply.code(204).send(null)
    },
  )
}

function listRoutes(app: App, services: IdentityServices): void {
  app.get(
    '/api/auth/sessions',
    {
      config: ofAccounts,
      schema: {
        tags,
        operationId: 'listSessions',
        summary: 'One’s own sessions, the last used first',
        response: { 200: SessionList },
      },
    },
    async (request) => {
      const sessions = await listOwnSessions(services, actorOf(request))
      const items = sessions.map(({ id, method, device, begunAt, usedAt, isCurrent }) => ({
        ...{ id, method, device, current: isCurrent },
        ...{ createdAt: begunAt.toISOString(), lastUsedAt: usedAt.toISOString() },
      }))
      return { items }
    },
  )
  app.delete(
    '/api/auth/sessions/:id',
    {
      config: ofAccounts,
      schema: {
        tags,
        operationId: 'endSession',
        summary: 'End one of one’s sessions',
        params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await endOwnSession(services, actorOf(request), request.params.id.toLowerCase())
      return reply.code(204).send(null)
    },
  )
}

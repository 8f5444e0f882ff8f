import Type from 'typebox'
import { ACCOUNT_ROLES, type App, actorOf } from '../../http/index.ts'
import { replacePassword } from '../accounts/replace-password.ts'
import type { IdentityServices } from '../identity.ts'
import { dropSession } from './session-cookie.ts'
import { signOut, signOutEverywhere } from './sign-out.ts'

const PasswordChange = Type.Object(
  {
    // Only bounds the work of normalising; the rules are in password-rules.ts.
    password: Type.String({ maxLength: 1_024, description: 'The new one' }),
    current: Type.String({ maxLength: 1_024 }),
  },
  { additionalProperties: false },
)

const tags = ['accounts']
const ofAccounts = { access: ACCOUNT_ROLES } as const

/** How sessions end: by signing out on one device or on all, and by a new password. */
export function sessionRoutes(app: App, services: IdentityServices): void {
  app.post(
    '/api/auth/logout',
    { config: ofAccounts, schema: { tags, summary: 'Sign out' } },
    async (request, reply) => {
      await signOut(services, actorOf(request))
      dropSession(services.config, request, reply)
      return reply.code(204).send()
    },
  )
  app.post(
    '/api/auth/logout-everywhere',
    { config: ofAccounts, schema: { tags, summary: 'End all of one’s sessions' } },
    async (request, reply) => {
      await signOutEverywhere(services, actorOf(request).id)
      dropSession(services.config, request, reply)
      return reply.code(204).send()
    },
  )
  app.put(
    '/api/auth/password',
    {
      config: ofAccounts,
      schema: {
        tags,
        summary: 'Replace one’s own password, which ends every other session',
        body: PasswordChange,
      },
    },
    async (request, reply) => {
      await replacePassword(services, actorOf(request), request.body, request.ip)
      return reply.code(204).send()
    },
  )
}

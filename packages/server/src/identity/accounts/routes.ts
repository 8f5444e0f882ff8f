import Type from 'typebox'
import { ACCOUNT_ROLES, type App, actorOf, REGISTRATION_LIMIT } from '../../http/index.ts'
import { type IdentityServices, measureIdentity } from '../identity.ts'
import { linkRoutes } from '../links/routes.ts'
import { passkeyRoutes } from '../passkeys/routes.ts'
import { sessionRoutes } from '../sessions/session-routes.ts'
import { watchEndedSessions } from '../sessions/watch-ended-sessions.ts'
import { AccountRole, Profile, Session } from './account.ts'
import type { Adoption } from './adoption.ts'
import { changeRole } from './change-role.ts'
import { EMAIL_LENGTH_MAX } from './email-address.ts'
import { listAccounts } from './list-accounts.ts'
import { changeProfile, readProfile } from './profile.ts'
import { AVATAR_LENGTH_MAX, NAME_LENGTH_MAX } from './profile-fields.ts'
import { register } from './register.ts'
import { Credentials, GuestHeader, Registration } from './schemas.ts'
import { comerOf, signIn } from './sign-in.ts'

const strict = { additionalProperties: false }

const ProfileChange = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 4 * NAME_LENGTH_MAX })),
    avatar: Type.Optional(
      Type.Union([Type.String({ maxLength: AVATAR_LENGTH_MAX }), Type.Null()], {
        description: 'An https image URL; null takes it away',
      }),
    ),
  },
  strict,
)
/** Includes a new access token of the same session, because joining a line reads name and avatar from the token. */
const ChangedProfile = Type.Object({
  ...Profile.properties,
  accessToken: Type.String(),
  expiresIn: Type.Integer({ description: 'Seconds' }),
})
const RoleChange = Type.Object({ role: AccountRole }, strict)
const AccountId = Type.Object({ id: Type.String({ format: 'uuid' }) })
const AccountQuery = Type.Object(
  {
    email: Type.Optional(Type.String({ maxLength: EMAIL_LENGTH_MAX })),
    cursor: Type.Optional(Type.String({ format: 'uuid' })),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  },
  strict,
)
const AccountPage = Type.Object({
  items: Type.Array(Profile),
  nextCursor: Type.Union([Type.String(), Type.Null()]),
})

const tags = ['accounts']

/** Accounts: registering, signing in and out, the actor's own profile, and the roles that admins assign. */
export function accountRoutes(app: App, services: IdentityServices, adoption: Adoption): void {
  measureIdentity(services)
  watchEndedSessions(app, services)
  app.register(async (scope: App) => {
    // These answers are private to one person.
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    signInRoutes(scope, { ...services, adoption })
    linkRoutes(scope, { ...services, adoption })
    passkeyRoutes(scope, { ...services, adoption })
    sessionRoutes(scope, services)
    profileRoutes(scope, services)
    roleRoutes(scope, services)
  })
}

function signInRoutes(app: App, services: IdentityServices & { readonly adoption: Adoption }): void {
  app.post(
    '/api/auth/register',
    {
      config: { access: 'public', rateLimit: REGISTRATION_LIMIT },
      schema: {
        tags,
        summary: 'Make an account and sign in',
        headers: GuestHeader,
        body: Registration,
        response: { 201: Session },
      },
    },
    async (request, reply) => {
      const session = await register(services, request.body, comerOf(request, request.headers['seatwise-guest']))
      return reply.code(201).send(session)
    },
  )
  app.post(
    '/api/auth/login',
    {
      config: { access: 'public' },
      schema: { tags, summary: 'Sign in', headers: GuestHeader, body: Credentials, response: { 200: Session } },
    },
    async (request) => {
      return await signIn(services, request.body, comerOf(request, request.headers['seatwise-guest']))
    },
  )
}

function profileRoutes(app: App, { ledger, identity }: IdentityServices): void {
  app.get(
    '/api/auth/me',
    {
      config: { access: ACCOUNT_ROLES },
      schema: { tags, summary: 'One’s own profile', response: { 200: Profile } },
    },
    async (request) => await readProfile(ledger, actorOf(request).id),
  )
  app.patch(
    '/api/auth/me',
    {
      config: { access: ACCOUNT_ROLES },
      schema: { tags, summary: 'Change one’s own profile', body: ProfileChange, response: { 200: ChangedProfile } },
    },
    async (request) => {
      const actor = actorOf(request)
      const profile = await changeProfile(ledger, actor.id, request.body)
      // The role, the session and its expiry are those of the token in the request, even if the account has changed
      // (A34).
      const { name, avatar } = profile
      return { ...profile, ...identity.tokens.issue({ ...actor, name, avatar }) }
    },
  )
}

function roleRoutes(app: App, services: IdentityServices): void {
  app.get(
    '/api/users',
    {
      config: { access: ['admin'] },
      schema: { tags, summary: 'Find accounts', querystring: AccountQuery, response: { 200: AccountPage } },
    },
    async (request) => await listAccounts(services.ledger, request.query),
  )
  app.patch(
    '/api/users/:id',
    {
      config: { access: ['admin'] },
      schema: { tags, summary: 'Give a role', params: AccountId, body: RoleChange, response: { 200: Profile } },
    },
    async (request) => await changeRole(services, request.params.id, request.body.role, actorOf(request).id),
  )
}

import { SeatwiseError } from '@seatwise/domain'
import { listPasskeys } from '@seatwise/ledger'
import { type AccountNotice, type AccountProblem, accountPage } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { sendsMail } from '../../../config/index.ts'
import { ACCOUNT_ROLES, type App, actorOf } from '../../../http/index.ts'
import {
  Credentials,
  dropSession,
  endOwnSession,
  listOwnSessions,
  readUser,
  removePasskey,
  replacePassword,
  signOutEverywhere,
} from '../../../identity/index.ts'
import { isUuid } from '../../../kit/index.ts'
import { ButtonForm, formOf } from '../forms.ts'
import { queryOf } from '../page-kit.ts'
import type { PageParts } from '../page-parts.ts'

const ofAccounts = { config: { access: ACCOUNT_ROLES }, schema: { hide: true } } as const
const PasswordFields = formOf({
  current: Type.Optional(Credentials.properties.password),
  password: Credentials.properties.password,
})
const NOTICES: readonly AccountNotice[] = ['ended', 'passwordSaved', 'againDone', 'passkeyDeleted']

const KeyFields = formOf({ id: Type.String({ maxLength: 1_400 }) })
type KeyRequest = FastifyRequest<{ Body: Static<typeof KeyFields> }>
type PasswordRequest = FastifyRequest<{ Body: Static<typeof PasswordFields> }>
type IdRequest = FastifyRequest<{ Params: { id: string } }>

/** One's own account: sessions, and the password. */
export function accountPages(app: App, parts: PageParts): void {
  app.get('/account', ofAccounts, async (request, reply) => {
    const said = queryOf(request, 'said')
    const problem = queryOf(request, 'failed') === 'passkey' ? 'passkeyFailed' : null
    return await show(parts, request, reply, { notice: NOTICES.find((notice) => notice === said) ?? null, problem })
  })
  app.post(
    '/account/sessions/:id/end',
    { ...ofAccounts, schema: { ...ofAccounts.schema, body: ButtonForm } },
    async (request: IdRequest, reply) => {
      const actor = actorOf(request)
      const { id } = request.params
      if (!isUuid(id)) throw new SeatwiseError('NOT_FOUND')
      await endOwnSession(parts, actor, id.toLowerCase())
      if (actor.session?.id !== id.toLowerCase()) return reply.redirect('/account?said=ended', 303)
      dropSession(parts.config, request, reply)
      return reply.redirect('/', 303)
    },
  )
  app.post(
    '/account/passkeys/delete',
    { config: { ...ofAccounts.config, fresh: true }, schema: { ...ofAccounts.schema, body: KeyFields } },
    async (request: KeyRequest, reply) => {
      await removePasskey(parts, actorOf(request), request.body.id)
      return reply.redirect('/account?said=passkeyDeleted', 303)
    },
  )
  app.post(
    '/account/sign-out-everywhere',
    { ...ofAccounts, schema: { ...ofAccounts.schema, body: ButtonForm } },
    async (request, reply) => {
      await signOutEverywhere(parts, actorOf(request).id)
      dropSession(parts.config, request, reply)
      return reply.redirect('/', 303)
    },
  )
  app.post(
    '/account/password',
    { ...ofAccounts, schema: { ...ofAccounts.schema, body: PasswordFields } },
    async (request: PasswordRequest, reply) => {
      try {
        await replacePassword(parts, actorOf(request), request.body, request.ip)
      } catch (error) {
        const problem = error instanceof SeatwiseError ? PROBLEMS[error.code] : undefined
        if (problem === undefined) throw error
        return await show(parts, request, reply, { problem }, 422)
      }
      return reply.redirect('/account?said=passwordSaved', 303)
    },
  )
}

const PROBLEMS: Readonly<Record<string, AccountProblem>> = {
  BAD_CREDENTIALS: 'passwordWrong',
  FRESH_SIGN_IN_NEEDED: 'needsLink',
  WEAK_PASSWORD: 'weakPassword',
  TOO_MANY_REQUESTS: 'tooOften',
}

async function show(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { notice = null, problem = null }: { notice?: AccountNotice | null; problem?: AccountProblem | null },
  statusCode = 200,
): Promise<FastifyReply> {
  const { kit, identity } = parts
  const actor = actorOf(request)
  const [user, sessions, passkeys, cameByLink] = await Promise.all([
    readUser(parts, actor),
    listOwnSessions(parts, actor),
    listPasskeys(parts.ledger.db, actor.id),
    identity.freshness.cameByLink(actor),
  ])
  const { name, email, password_hash } = user
  const hasMail = sendsMail(parts.config)
  const facts = {
    name,
    email,
    hasMail,
    sessions,
    passkeys,
    cameByLink,
    hasPassword: password_hash !== null,
    notice,
    problem,
  }
  return kit.send(request, reply, accountPage(kit.languageOf(request), facts), statusCode)
}

import { SeatwiseError } from '@seatwise/domain'
import { type AgainFacts, againPage } from '@seatwise/web'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { sendsMail } from '../../../config/index.ts'
import { ACCOUNT_ROLES, type App, actorOf } from '../../../http/index.ts'
import {
  askForLink,
  Credentials,
  confirmPresence,
  LINK_LIMIT,
  readUser,
  relyingPartyOf,
  signsInByProvider,
} from '../../../identity/index.ts'
import { formOf, NextField } from '../forms.ts'
import { ownPath } from '../own-path.ts'
import { queryOf } from '../page-kit.ts'
import type { PageParts } from '../page-parts.ts'
import { goOn } from './go-on.ts'
import { CredentialField, readCredential } from './passkeys.ts'

const ofAccounts = { config: { access: ACCOUNT_ROLES }, schema: { hide: true } } as const
const MailFields = formOf({ next: NextField })
const AgainFields = formOf({
  password: Type.Optional(Credentials.properties.password),
  code: Type.Optional(Type.String({ maxLength: 40 })),
  credential: Type.Optional(CredentialField),
  next: NextField,
})
type MailRequest = FastifyRequest<{ Body: Static<typeof MailFields> }>
type AgainRequest = FastifyRequest<{ Body: Static<typeof AgainFields> }>

/** A signed-in person confirms to be there, before an act that could do harm, and goes on. */
export function againPages(app: App, parts: PageParts): void {
  app.get('/sign-in/again', ofAccounts, async (request, reply) => {
    const isSent = queryOf(request, 'sent') !== undefined
    return await show(parts, request, reply, { next: ownPath(queryOf(request, 'next')), isSent })
  })
  app.post(
    '/sign-in/again/mail',
    {
      config: { ...ofAccounts.config, rateLimit: LINK_LIMIT },
      schema: { ...ofAccounts.schema, body: MailFields },
    },
    async (request: MailRequest, reply) => {
      const next = ownPath(request.body.next)
      const { email } = await readUser(parts, actorOf(request))
      await askForLink(parts, { email, next, language: parts.kit.mailLanguageOf(request) })
      return reply.redirect(`/sign-in/again?${new URLSearchParams({ sent: '1', next })}`, 303)
    },
  )
  app.post(
    '/sign-in/again',
    { ...ofAccounts, schema: { ...ofAccounts.schema, body: AgainFields } },
    async (request: AgainRequest, reply) => {
      const { password = '', code, credential } = request.body
      const next = ownPath(request.body.next)
      try {
        const party = relyingPartyOf(parts.config, request)
        const byCode = code === undefined ? { password } : { code }
        const shown =
          credential === undefined
            ? byCode
            : { credential: readCredential<AuthenticationResponseJSON>(credential), party }
        await confirmPresence(parts, actorOf(request), shown, request.ip)
      } catch (error) {
        const problem = error instanceof SeatwiseError ? PROBLEMS[error.code] : undefined
        if (problem === undefined) throw error
        return await show(parts, request, reply, { next, isSent: code !== undefined, problem }, 422)
      }
      return goOn(parts, request, reply, next)
    },
  )
}

const PROBLEMS: Readonly<Record<string, NonNullable<AgainFacts['problem']>>> = {
  BAD_CREDENTIALS: 'passwordWrong',
  CODE_WRONG: 'codeWrong',
  TOO_MANY_REQUESTS: 'tooOften',
}

async function show(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  stand: { readonly next: string; readonly isSent: boolean; readonly problem?: AgainFacts['problem'] },
  statusCode = 200,
): Promise<FastifyReply> {
  const actor = actorOf(request)
  const { email, password_hash } = await readUser(parts, actor)
  const hasProvider = await signsInByProvider(parts, actor)
  const { next, isSent, problem = null } = stand
  const facts = {
    ...{ next, hasPassword: password_hash !== null, hasProvider, hasMail: sendsMail(parts.config) },
    ...{ sentTo: isSent ? email : null, problem },
  }
  return parts.kit.send(request, reply, againPage(parts.kit.languageOf(request), facts), statusCode)
}

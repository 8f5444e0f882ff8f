import { SeatwiseError } from '@seatwise/domain'
import { type SignInForm, type SignInProblem, signInPage } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { type App, REGISTRATION_LIMIT } from '../../../http/index.ts'
import {
  Credentials,
  comerOf,
  dropSession,
  LINK_LIMIT,
  Registration,
  readSessionCookie,
  register,
  type Session,
  signIn,
  signOut,
} from '../../../identity/index.ts'
import { ButtonForm, formOf, NextField } from '../forms.ts'
import { ownPath } from '../own-path.ts'
import { queryOf } from '../page-kit.ts'
import type { PageParts } from '../page-parts.ts'
import { accountPages } from './account.ts'
import { againPages } from './again.ts'
import { keepArrival } from './keep-arrival.ts'
import { openidPages } from './openid.ts'
import { passkeyPages } from './passkeys.ts'
import { sendMail, signInMailPages } from './sign-in-mail.ts'
import { strongPages } from './strong.ts'
import { waysIn } from './ways-in.ts'

const everybody = { access: 'public' } as const
const hidden = { hide: true } as const

const SignInFields = formOf({
  ...Credentials.properties,
  // Left empty, or out: a mail is sent.
  password: Type.Optional(Credentials.properties.password),
  next: NextField,
})
const SignUpFields = formOf({ ...Registration.properties, next: NextField })
type Posted = FastifyRequest<{ Body: Static<typeof SignInFields> | Static<typeof SignUpFields> }>

/** Signing in and out by plain forms. A guest who signs in keeps their places. */
export function signInPages(app: App, parts: PageParts): void {
  const { kit } = parts
  app.get('/sign-in', { config: everybody, schema: hidden }, (request, reply) => {
    const kind = queryOf(request, 'new') === undefined ? 'known' : 'new'
    const next = ownPath(queryOf(request, 'next'))
    const form = { kind, next, email: '', name: '', problem: null, ...waysIn(parts) } as const
    return kit.send(request, reply, signInPage(kit.languageOf(request), form))
  })
  app.post(
    '/sign-in',
    { config: { ...everybody, rateLimit: LINK_LIMIT }, schema: { ...hidden, body: SignInFields } },
    (request: Posted, reply) => take(parts, request, reply, 'known'),
  )
  app.post(
    '/sign-up',
    { config: { ...everybody, rateLimit: REGISTRATION_LIMIT }, schema: { ...hidden, body: SignUpFields } },
    (request: Posted, reply) => take(parts, request, reply, 'new'),
  )
  signInMailPages(app, parts)
  accountPages(app, parts)
  againPages(app, parts)
  passkeyPages(app, parts)
  strongPages(app, parts)
  openidPages(app, parts)
  app.post('/sign-out', { config: everybody, schema: { ...hidden, body: ButtonForm } }, async (request, reply) => {
    const token = readSessionCookie(parts.config, request)
    const actor = token === null ? null : parts.identity.tokens.verify(token)
    // First, so that the next person at this device is not signed in, even when the ledger is down.
    dropSession(parts.config, request, reply)
    // A guest cannot return: the identity ends with the cookie.
    if (actor !== null && actor.role !== 'guest') await signOut(parts, actor)
    return reply.redirect('/', 303)
  })
}

async function take(
  parts: PageParts,
  request: Posted,
  reply: FastifyReply,
  kind: SignInForm['kind'],
): Promise<FastifyReply> {
  const { next, email } = request.body
  const name = 'name' in request.body ? request.body.name : ''
  const password = request.body.password ?? ''
  const form = { kind, next: ownPath(next), email, name, problem: null, ...waysIn(parts) }
  try {
    // Where no mail is sent, an empty password is a wrong one.
    const isByMail = kind === 'known' && password === '' && form.hasMail
    if (isByMail) return await sendMail(parts, request, reply, form)
    keepArrival(parts, request, reply, await open(parts, request, { email, password, name }, kind))
    return reply.redirect(form.next, 303)
  } catch (error) {
    const problem = problemOf(error, password === '' ? 'new' : kind)
    if (problem === null) throw error
    return parts.kit.send(request, reply, signInPage(parts.kit.languageOf(request), { ...form, problem }), 422)
  }
}

async function open(
  parts: PageParts,
  request: FastifyRequest,
  { email, password, name }: Static<typeof Registration>,
  kind: SignInForm['kind'],
): Promise<Session> {
  const guestToken = readSessionCookie(parts.config, request) ?? undefined
  return kind === 'new'
    ? await register(parts, { email, password, name }, comerOf(request, guestToken))
    : await signIn(parts, { email, password }, comerOf(request, guestToken))
}

function problemOf(error: unknown, kind: SignInForm['kind']): SignInProblem | null {
  if (!(error instanceof SeatwiseError)) return null
  switch (error.code) {
    case 'BAD_CREDENTIALS':
      return 'wrong'
    case 'EMAIL_TAKEN':
      return 'emailTaken'
    case 'WEAK_PASSWORD':
      return 'weakPassword'
    case 'TOO_MANY_REQUESTS':
      return 'tooOften'
    case 'BAD_REQUEST':
      if (kind === 'known') return 'wrong'
      return error.details.field === 'body/name' ? 'badName' : 'badEmail'
    default:
      return null
  }
}

import { SeatwiseError } from '@seatwise/domain'
import { type SignInForm, type SignInProblem, signInPage } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { REGISTRATION_LIMIT } from '../access/limit-rates.ts'
import { addCookie, endSession, keepSession, readSessionCookie } from '../access/session-cookie.ts'
import type { Session } from '../accounts/account.ts'
import { register } from '../accounts/register.ts'
import { signIn } from '../accounts/sign-in.ts'
import { withGuestTickets } from '../accounts/with-guest-tickets.ts'
import type { App } from '../http-server.ts'
import { ticketCookie } from '../room/routes/ticket-cookie.ts'
import type { Services } from '../services.ts'
import { type Form, formOf } from './forms.ts'
import { ownPath } from './own-path.ts'
import { type PageKit, queryOf } from './page-kit.ts'

const everybody = { access: 'public' } as const
const hidden = { hide: true } as const

/** Signing in and out by plain forms. A guest who signs in takes their places along. */
export function signInPages(app: App, services: Services, kit: PageKit): void {
  app.get('/sign-in', { config: everybody, schema: hidden }, (request, reply) => {
    const kind = queryOf(request, 'new') === undefined ? 'known' : 'new'
    const form = { kind, next: ownPath(queryOf(request, 'next')), email: '', name: '', problem: null } as const
    return kit.send(request, reply, signInPage(kit.languageOf(request), form))
  })
  app.post('/sign-in', { config: everybody, schema: hidden }, (request, reply) =>
    take(services, kit, request, reply, 'known'),
  )
  app.post('/sign-up', { config: { ...everybody, rateLimit: REGISTRATION_LIMIT }, schema: hidden }, (request, reply) =>
    take(services, kit, request, reply, 'new'),
  )
  app.post('/sign-out', { config: everybody, schema: hidden }, (request, reply) => {
    endSession(services.config, request, reply)
    return reply.redirect('/', 303)
  })
}

async function take(
  services: Services,
  kit: PageKit,
  request: FastifyRequest,
  reply: FastifyReply,
  kind: SignInForm['kind'],
): Promise<FastifyReply> {
  const { next, email = '', name = '' } = formOf(request)
  const form: SignInForm = { kind, next: ownPath(next), email, name, problem: null }
  try {
    await keep(services, request, reply, await open(services, request, formOf(request), kind))
    return reply.redirect(form.next, 303)
  } catch (error) {
    const problem = problemOf(error, kind)
    if (problem === null) throw error
    return kit.send(request, reply, signInPage(kit.languageOf(request), { ...form, problem }), 422)
  }
}

async function open(
  services: Services,
  request: FastifyRequest,
  { email = '', password = '', name = '' }: Form,
  kind: SignInForm['kind'],
): Promise<Session> {
  const session =
    kind === 'new'
      ? await register(services, { email, password, name })
      : await signIn(services, { email, password }, request.ip)
  return await withGuestTickets(services, session, readSessionCookie(services.config, request) ?? undefined)
}

/** The session, and the tickets that came along: of each room and, where it has one, of its event. */
async function keep(services: Services, request: FastifyRequest, reply: FastifyReply, session: Session) {
  const { config, rooms } = services
  keepSession(config, request, reply, session)
  for (const { roomId, ticketToken } of session.tickets ?? []) {
    const { eventId } = (await rooms.byId(roomId)).row
    for (const id of eventId === null ? [roomId] : [roomId, eventId]) {
      addCookie(reply, ticketCookie(config, request, id, ticketToken))
    }
  }
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

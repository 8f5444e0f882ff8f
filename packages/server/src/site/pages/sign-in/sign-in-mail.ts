import { SeatwiseError } from '@seatwise/domain'
import { codePage, linkOverPage, linkPage } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { type App, addCookie, readCookie } from '../../../http/index.ts'
import {
  askForLink,
  Credentials,
  comerOf,
  drawSecret,
  findByAsker,
  findByLink,
  REDEEM_LIMIT,
  readSessionCookie,
  redeemCode,
  redeemMail,
} from '../../../identity/index.ts'
import { formOf, NextField } from '../forms.ts'
import { ownPath } from '../own-path.ts'
import { queryOf } from '../page-kit.ts'
import type { PageParts } from '../page-parts.ts'
import { keepArrival } from './keep-arrival.ts'

const everybody = { access: 'public' } as const
const hidden = { hide: true } as const

/** Tells the browser that asked for a mail from others that open its link. */
const ASKER_COOKIE = 'seatwise-asked'
const ASKER_SHAPE = /^[\w-]{43}$/
const ASKER_SECONDS = 60 * 60

const CodeFields = formOf({
  email: Credentials.properties.email,
  code: Type.String({ maxLength: 40 }),
  next: NextField,
})
type CodeRequest = FastifyRequest<{ Body: Static<typeof CodeFields> }>
const LinkFields = formOf({ confirmed: Type.Optional(Type.String()) })
type LinkRequest = FastifyRequest<{ Params: { token: string }; Body: Static<typeof LinkFields> }>

/** Signing in by a mail: typing its code, or pressing the button on the page of its link. */
export function signInMailPages(app: App, parts: PageParts): void {
  codePages(app, parts)
  linkPages(app, parts)
}

/** Sends the mail; the page where its code is typed comes next. The same for every address. */
export async function sendMail(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, next }: { readonly email: string; readonly next: string },
): Promise<FastifyReply> {
  const asker = askerOf(parts, request) ?? drawSecret()
  await askForLink(parts, { email, asker, next, language: parts.kit.mailLanguageOf(request) })
  addCookie(parts.config, { request, reply }, { name: ASKER_COOKIE, value: asker, seconds: ASKER_SECONDS })
  return reply.redirect('/sign-in/code', 303)
}

function askerOf({ config }: PageParts, request: FastifyRequest): string | null {
  const asker = readCookie(config, request, ASKER_COOKIE)
  return asker !== null && ASKER_SHAPE.test(asker) ? asker : null
}

function codePages(app: App, parts: PageParts): void {
  const { kit } = parts
  app.get('/sign-in/code', { config: everybody, schema: hidden }, async (request, reply) => {
    const asker = askerOf(parts, request)
    const mail = asker === null ? null : await findByAsker(parts, asker)
    const next = mail?.next ?? ownPath(queryOf(request, 'next'))
    const form = { email: mail?.email ?? '', next: ownPath(next), problem: null }
    return kit.send(request, privately(reply), codePage(kit.languageOf(request), form))
  })
  app.post(
    '/sign-in/code',
    { config: { ...everybody, rateLimit: REDEEM_LIMIT }, schema: { ...hidden, body: CodeFields } },
    async (request: CodeRequest, reply) => {
      const { email, code } = request.body
      const next = ownPath(request.body.next)
      const guestToken = readSessionCookie(parts.config, request) ?? undefined
      try {
        keepArrival(parts, request, reply, await redeemCode(parts, { email, code }, comerOf(request, guestToken)))
        return reply.redirect(next, 303)
      } catch (error) {
        if (!isWrong(error)) throw error
        const form = { email, next, problem: 'codeWrong' } as const
        return kit.send(request, privately(reply), codePage(kit.languageOf(request), form), 422)
      }
    },
  )
}

/** Opening a link changes nothing. Its button signs in; in a browser that did not ask, after confirming the address. */
function linkPages(app: App, parts: PageParts): void {
  const { kit, identity } = parts
  const find = async (request: FastifyRequest, token: string) => {
    const mail = await findByLink(parts, token)
    const asker = askerOf(parts, request)
    const hashes = asker === null ? [] : identity.links.hashes('asker', asker)
    return { mail, isAsker: mail?.askerHash != null && hashes.includes(mail.askerHash) }
  }
  const over = (request: FastifyRequest, reply: FastifyReply) =>
    kit.send(request, privately(reply), linkOverPage(kit.languageOf(request)), 410)
  app.get('/sign-in/link/:token', { config: everybody, schema: hidden }, async (request: LinkRequest, reply) => {
    const { token } = request.params
    const { mail, isAsker } = await find(request, token)
    if (mail === null) return over(request, reply)
    const form = { token, email: mail.email, isAsker, problem: null }
    return kit.send(request, privately(reply), linkPage(kit.languageOf(request), form))
  })
  app.post(
    '/sign-in/link/:token',
    { config: { ...everybody, rateLimit: REDEEM_LIMIT }, schema: { ...hidden, body: LinkFields } },
    async (request: LinkRequest, reply) => {
      const { token } = request.params
      const { mail, isAsker } = await find(request, token)
      if (mail === null) return over(request, reply)
      if (!isAsker && request.body.confirmed !== 'yes') {
        const form = { token, email: mail.email, isAsker, problem: 'linkUnconfirmed' } as const
        return kit.send(request, privately(reply), linkPage(kit.languageOf(request), form), 422)
      }
      const guestToken = isAsker ? (readSessionCookie(parts.config, request) ?? undefined) : undefined
      try {
        keepArrival(parts, request, reply, await redeemMail(parts, mail.id, comerOf(request, guestToken)))
      } catch (error) {
        if (isWrong(error)) return over(request, reply)
        throw error
      }
      return reply.redirect(ownPath(mail.next), 303)
    },
  )
}

const isWrong = (error: unknown): boolean => error instanceof SeatwiseError && error.code === 'CODE_WRONG'

/** The address is a secret, or names a person: nothing of it leaves with a referrer, and no search engine keeps it. */
function privately(reply: FastifyReply): FastifyReply {
  return reply.headers({ 'referrer-policy': 'same-origin', 'x-robots-tag': 'noindex, nofollow' })
}

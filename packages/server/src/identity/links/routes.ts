import { chooseLanguage, LANGUAGES } from '@seatwise/web'
import Type from 'typebox'
import type { App, RateLimit } from '../../http/index.ts'
import { Session } from '../accounts/account.ts'
import type { Adoption } from '../accounts/adoption.ts'
import { EMAIL_LENGTH_MAX } from '../accounts/email-address.ts'
import { GuestHeader } from '../accounts/schemas.ts'
import { comerOf } from '../accounts/sign-in.ts'
import type { IdentityServices } from '../identity.ts'
import { askForLink } from './ask-for-link.ts'
import { redeemCode } from './redeem-link.ts'

const strict = { additionalProperties: false }
const tags = ['accounts']

/** Mail that signs in, asked for by one sender: a crowd behind one address signs in, too. Each address has a limit of its own. */
export const LINK_LIMIT: RateLimit = { name: 'link', perSecond: 1, burst: 300 }
/** Guesses of codes from one sender, for all addresses together; a family, or an office, shares an address. */
export const REDEEM_LIMIT: RateLimit = { name: 'redeem', perSecond: 0.2, burst: 60 }

const Email = Type.String({ maxLength: EMAIL_LENGTH_MAX, examples: ['ada@example.com'] })

const LinkBody = Type.Object(
  {
    email: Email,
    language: Type.Optional(Type.Enum([...LANGUAGES], { description: 'Of the mail; by default the browser’s' })),
  },
  { ...strict, examples: [{ email: 'ada@example.com' }] },
)

const RedeemBody = Type.Object(
  { email: Email, code: Type.String({ maxLength: 40, description: 'The 8 digits of the mail' }) },
  { ...strict, examples: [{ email: 'ada@example.com', code: '48201573' }] },
)

/** Signing in without a password: a mail carries a link and a code. */
export function linkRoutes(app: App, services: IdentityServices & { readonly adoption: Adoption }): void {
  app.post(
    '/api/auth/link',
    {
      config: { access: 'public', rateLimit: LINK_LIMIT },
      schema: {
        tags,
        operationId: 'askForLink',
        summary: 'Ask for a mail that signs in',
        description:
          'The mail has a link and a code of 8 digits, both good once and for 15 minutes. The answer is the same whether or not the address has an account.',
        body: LinkBody,
        response: { 202: Type.Object({ status: Type.Literal('SENT') }, { examples: [{ status: 'SENT' }] }) },
      },
    },
    async (request, reply) => {
      const { email, language } = request.body
      const header = request.headers['accept-language']
      const spoken = language ?? chooseLanguage({ query: undefined, cookie: undefined, header })
      await askForLink(services, { email, language: spoken })
      return reply.code(202).send({ status: 'SENT' })
    },
  )
  app.post(
    '/api/auth/link/redeem',
    {
      config: { access: 'public', rateLimit: REDEEM_LIMIT },
      schema: {
        tags,
        operationId: 'redeemLink',
        summary: 'Sign in with the code of a mail',
        description:
          'Makes the account if there was none. Five tries for each sender and 50 in all; the first sign-in to an account whose address was never verified removes its password and ends its sessions.',
        headers: GuestHeader,
        body: RedeemBody,
        response: { 200: Session },
      },
    },
    async (request) => await redeemCode(services, request.body, comerOf(request, request.headers['seatwise-guest'])),
  )
}

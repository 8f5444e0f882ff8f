import { SeatwiseError } from '@seatwise/domain'
import type { Invitation } from '@seatwise/ledger'
import { invitationPage } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../http/index.ts'
import { acceptInvitation, invitationByLink } from '../../identity/index.ts'
import { ButtonForm } from './forms.ts'
import { forPeople, type PageParts } from './page-parts.ts'

type TokenRequest = FastifyRequest<{ Params: { token: string } }>
const accepting = { ...forPeople, schema: { ...forPeople.schema, body: ButtonForm } }

/** Where the mail of an invitation leads. Opening it accepts nothing: mail scanners open links. */
export function invitationPages(app: App, parts: PageParts): void {
  const { kit } = parts
  const show = (request: TokenRequest, reply: FastifyReply, invitation: Invitation | null, isAccepted = false) => {
    const { token } = request.params
    const facts = invitation && {
      ...{ organization: invitation.organizationName, email: invitation.email, role: invitation.role },
      ...{ token, isAccepted },
    }
    reply.headers({ 'referrer-policy': 'same-origin', 'x-robots-tag': 'noindex, nofollow' })
    return kit.send(request, reply, invitationPage(kit.languageOf(request), facts), facts === null ? 404 : 200)
  }
  app.get('/invitations/:token', forPeople, async (request: TokenRequest, reply) =>
    show(request, reply, await invitationByLink(parts, request.params.token)),
  )
  app.post('/invitations/:token', accepting, async (request: TokenRequest, reply) => {
    try {
      return show(request, reply, await acceptInvitation(parts, request.params.token), true)
    } catch (error) {
      if (error instanceof SeatwiseError && error.code === 'INVITATION_OVER') return show(request, reply, null)
      throw error
    }
  })
}

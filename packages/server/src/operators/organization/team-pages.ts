import type { MemberRole } from '@seatwise/domain'
import { SeatwiseError } from '@seatwise/domain'
import { listInvitations, listMembers, withdrawInvitation } from '@seatwise/ledger'
import { type Said, teamPage, WORDS } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import { type App, actorOf } from '../../http/index.ts'
import { addMember, changeMember, dropMember, NewMember, RoleChange } from '../../identity/index.ts'
import { isUuid } from '../../kit/index.ts'
import { ButtonForm, formOf, type PageKit, queryOf } from '../../site/index.ts'
import { idOf, type OrganizationRequest, problemOf, readFrame, sayProblem } from './frame.ts'

const config = { access: { act: 'members', on: 'organization' } } as const
const hidden = { hide: true } as const
const InviteForm = formOf(NewMember.properties)
const RoleForm = formOf(RoleChange.properties)
type InviteRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof InviteForm> }>
type RoleRequest = FastifyRequest<{ Params: { id: string; userId: string }; Body: Static<typeof RoleForm> }>
type MemberRequest = FastifyRequest<{ Params: { id: string; userId: string } }>
type InvitationRequest = FastifyRequest<{ Params: { id: string; invitationId: string } }>

/** What a page says after its form was accepted, by the word in the address. */
const DONE = {
  saved: 'saved',
  invited: 'invitedNow',
  member: 'memberNow',
  ended: 'ended',
  withdrawn: 'withdrawn',
} as const

/** Members of an organization: invite, change roles, end memberships. */
export function teamPages(app: App, services: BoxOfficeServices, kit: PageKit): void {
  const base = '/console/organizations/:id/team'
  const pathOf = (request: OrganizationRequest, said: keyof typeof DONE) =>
    `/console/organizations/${idOf(request)}/team?said=${said}`
  app.get(base, { config, schema: hidden }, (request: OrganizationRequest, reply) =>
    show(services, kit, request, reply),
  )
  app.post(base, { config, schema: { ...hidden, body: InviteForm } }, async (request: InviteRequest, reply) => {
    const wish = { organizationId: idOf(request), ...request.body, by: actorOf(request).id }
    try {
      const added = await addMember(services, { ...wish, language: kit.mailLanguageOf(request) })
      return reply.redirect(pathOf(request, added.status === 'member' ? 'member' : 'invited'), 303)
    } catch (error) {
      const isWrong = problemOf(error) === 'invalid'
      const language = kit.languageOf(request)
      const { address } = WORDS[language].organization.problems
      const said = isWrong ? ({ kind: 'problem', sentence: address } as const) : sayProblem(language, error)
      return await show(services, kit, request, reply, { said, typed: { ...request.body, isWrong } })
    }
  })
  const change = async (
    request: OrganizationRequest,
    reply: FastifyReply,
    said: keyof typeof DONE,
    act: () => Promise<unknown>,
  ) => {
    try {
      await act()
    } catch (error) {
      return await show(services, kit, request, reply, { said: sayProblem(kit.languageOf(request), error) })
    }
    return reply.redirect(pathOf(request, said), 303)
  }
  app.post(
    `${base}/members/:userId/role`,
    { config, schema: { ...hidden, body: RoleForm } },
    (request: RoleRequest, reply) =>
      change(request, reply, 'saved', () => changeMember(services, targetOf(request), request.body.role)),
  )
  app.post(
    `${base}/members/:userId/end`,
    { config, schema: { ...hidden, body: ButtonForm } },
    (request: MemberRequest, reply) => change(request, reply, 'ended', () => dropMember(services, targetOf(request))),
  )
  app.post(
    `${base}/invitations/:invitationId/withdraw`,
    { config, schema: { ...hidden, body: ButtonForm } },
    (request: InvitationRequest, reply) =>
      change(request, reply, 'withdrawn', async () => {
        const invitation = { organizationId: idOf(request), id: request.params.invitationId }
        const isGone = isUuid(invitation.id) && (await withdrawInvitation(services.ledger.db, invitation))
        if (!isGone) throw new SeatwiseError('NOT_FOUND')
      }),
  )
}

function targetOf(request: MemberRequest) {
  const { userId } = request.params
  if (!isUuid(userId)) throw new SeatwiseError('NOT_FOUND')
  return { organizationId: idOf(request), userId: userId.toLowerCase(), by: actorOf(request).id }
}

interface Stand {
  readonly said?: Said
  readonly typed?: { readonly email: string; readonly role: MemberRole; readonly isWrong: boolean }
}

const NOTHING_TYPED = { email: '', role: 'box_office', isWrong: false } as const

async function show(
  services: BoxOfficeServices,
  kit: PageKit,
  request: OrganizationRequest,
  reply: FastifyReply,
  { said = null, typed = NOTHING_TYPED }: Stand = {},
): Promise<FastifyReply> {
  const { db } = services.ledger
  const language = kit.languageOf(request)
  const [{ frame }, members, invitations] = await Promise.all([
    readFrame(services, request),
    listMembers(db, idOf(request)),
    listInvitations(db, idOf(request)),
  ])
  const own = actorOf(request).id
  const done = said === null ? DONE[queryOf(request, 'said') as keyof typeof DONE] : undefined
  const page = teamPage(language, frame, {
    members: members.map((member) => ({ ...member, isYou: member.userId === own })),
    ...{ invitations, typed },
    said: done === undefined ? said : { kind: 'done', sentence: WORDS[language].organization[done] },
  })
  return kit.send(request, reply, page, said === null ? 200 : 422)
}

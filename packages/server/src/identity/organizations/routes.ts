import { SeatwiseError } from '@seatwise/domain'
import { listInvitations, listMembers, withdrawInvitation } from '@seatwise/ledger'
import { chooseLanguage } from '@seatwise/web'
import Type from 'typebox'
import { ACCOUNT_ROLES, type App, actorOf, mayDo } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import type { IdentityServices } from '../identity.ts'
import { acceptInvitation, invitationByLink } from './accept-invitation.ts'
import { addMember } from './add-member.ts'
import { changeMember, dropMember, noMember } from './change-member.ts'
import { keyRoutes } from './key-routes.ts'
import { makeOrganization } from './make-organization.ts'
import {
  describeInvitation,
  describeMember,
  InvitationAnswer,
  InvitationPath,
  InvitedAnswer,
  MadeOrganization,
  MemberAnswer,
  MemberPath,
  NewMember,
  NewOrganization,
  OrganizationPath,
  RoleChange,
  TeamAnswer,
  TokenPath,
} from './schemas.ts'

const tags = ['organizations']
const access = { act: 'members', on: 'organization' } as const

/** Organizations, their members, invitations and API keys. */
export function teamRoutes(app: App, services: IdentityServices): void {
  app.register(async (scope: App) => {
    // These answers are about people.
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    makingRoute(scope, services)
    memberRoutes(scope, services)
    leavingRoute(scope, services)
    invitationRoutes(scope, services)
    keyRoutes(scope, services)
  })
}

function makingRoute(app: App, services: IdentityServices): void {
  app.post(
    '/api/organizations',
    {
      config: { access: ACCOUNT_ROLES },
      schema: {
        tags,
        operationId: 'createOrganization',
        summary: 'Make an organization; you are its first owner',
        description: 'For admins; with `SEATWISE_SIGNUP=open` for every account.',
        body: NewOrganization,
        response: { 201: MadeOrganization },
      },
    },
    async (request, reply) => {
      const made = await makeOrganization(services, actorOf(request), request.body.name)
      return reply.code(201).header('location', `/api/organizations/${made.id}`).send(made)
    },
  )
}

function memberRoutes(app: App, services: IdentityServices): void {
  const { ledger } = services
  app.get(
    '/api/organizations/:id/members',
    {
      config: { access },
      schema: {
        tags,
        operationId: 'listMembers',
        summary: 'Members of an organization, owners first, and open invitations',
        params: OrganizationPath,
        response: { 200: TeamAnswer },
      },
    },
    async (request) => {
      const id = request.params.id.toLowerCase()
      const [members, invitations] = await Promise.all([listMembers(ledger.db, id), listInvitations(ledger.db, id)])
      return { items: members.map(describeMember), invitations: invitations.map(describeInvitation) }
    },
  )
  app.post(
    '/api/organizations/:id/members',
    {
      config: { access },
      schema: {
        tags,
        operationId: 'addMember',
        summary: 'Add a member, or change a member’s role',
        description:
          '201: the account has a verified address and is a member now. 202: the address was invited by mail, and is a member when the link in it was used.',
        params: OrganizationPath,
        body: NewMember,
        response: { 201: MemberAnswer, 202: InvitedAnswer },
      },
    },
    async (request, reply) => {
      const header = request.headers['accept-language']
      const language = chooseLanguage({ query: undefined, cookie: undefined, header })
      const wish = {
        organizationId: request.params.id.toLowerCase(),
        ...request.body,
        by: actorOf(request).id,
        language,
      }
      const added = await addMember(services, wish)
      if (added.status === 'member') return reply.code(201).send(describeMember(added.member))
      const { expiresAt, ...invitation } = added.invitation
      return reply.code(202).send({ status: 'INVITED', ...invitation, expiresAt: expiresAt.toISOString() })
    },
  )
  app.patch(
    '/api/organizations/:id/members/:userId',
    {
      config: { access },
      schema: {
        tags,
        operationId: 'changeMember',
        summary: 'Give a member another role',
        description: 'It counts on every server within 2 s. 409 LAST_OWNER if no owner were left.',
        params: MemberPath,
        body: RoleChange,
        response: { 200: MemberAnswer },
      },
    },
    async (request) => describeMember(await changeMember(services, targetOf(request), request.body.role)),
  )
}

/** Owners remove members; every member may leave. */
function leavingRoute(app: App, services: IdentityServices): void {
  app.delete(
    '/api/organizations/:id/members/:userId',
    {
      config: { access: { ...access, orOwner: true } },
      schema: {
        tags,
        operationId: 'removeMember',
        summary: 'Remove a member, or leave an organization',
        description: 'It counts on every server within 2 s. 409 LAST_OWNER if no owner were left.',
        params: MemberPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const target = targetOf(request)
      const actor = actorOf(request)
      if (actor.id !== target.userId && !mayDo(actor, 'members', target.organizationId)) throw noMember()
      await dropMember(services, target)
      return reply.code(204).send(null)
    },
  )
}

function invitationRoutes(app: App, services: IdentityServices): void {
  const { ledger } = services
  app.delete(
    '/api/organizations/:id/invitations/:invitationId',
    {
      config: { access },
      schema: {
        tags,
        operationId: 'withdrawInvitation',
        summary: 'Withdraw an invitation',
        params: InvitationPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id, invitationId } = request.params
      const invitation = { organizationId: id.toLowerCase(), id: invitationId }
      const isGone = isUuid(invitationId) && (await withdrawInvitation(ledger.db, invitation))
      if (!isGone) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such invitation' })
      return reply.code(204).send(null)
    },
  )
  app.get(
    '/api/invitations/:token',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'readInvitation',
        summary: 'What an invitation is for; reading it accepts nothing',
        params: TokenPath,
        response: { 200: InvitationAnswer },
      },
    },
    async (request) => {
      const invitation = await invitationByLink(services, request.params.token)
      if (invitation === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such invitation' })
      return invitation
    },
  )
  app.post(
    '/api/invitations/:token/accept',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'acceptInvitation',
        summary: 'Accept an invitation: the account of its address is a member',
        description:
          'Makes the account if there is none. It signs nobody in; an account whose address was never verified loses its password and its sessions.',
        params: TokenPath,
        response: { 200: InvitationAnswer },
      },
    },
    async (request) => {
      const { token } = request.params
      if ((await invitationByLink(services, token)) === null) {
        throw new SeatwiseError('NOT_FOUND', { message: 'There is no such invitation' })
      }
      return await acceptInvitation(services, token)
    },
  )
}

function targetOf(request: Parameters<typeof actorOf>[0]) {
  const { id, userId } = request.params as { id: string; userId: string }
  if (!isUuid(userId)) throw noMember()
  return { organizationId: id.toLowerCase(), userId: userId.toLowerCase(), by: actorOf(request).id }
}

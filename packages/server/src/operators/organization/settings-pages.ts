import { editOrganization } from '@seatwise/ledger'
import { organizationSettingsPage, type Said, WORDS } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { type BoxOfficeServices, OrganizationBody } from '../../box-office/index.ts'
import { ACCOUNT_ROLES, type App, actorOf, mayDo } from '../../http/index.ts'
import {
  chooseOrganization,
  dropMember,
  makeOrganization,
  mayMakeOrganizations,
  NewOrganization,
} from '../../identity/index.ts'
import { isUuid } from '../../kit/index.ts'
import { ButtonForm, formOf, type PageKit, queryOf } from '../../site/index.ts'
import { idOf, type OrganizationRequest, readFrame, sayProblem } from './frame.ts'

const hidden = { hide: true } as const
const watching = { access: { act: 'statistics', on: 'organization' } } as const
const { name, taxNumber } = OrganizationBody.properties
/** Browsers end the lines of a text area with CR and LF. */
const SettingsForm = formOf({ name, address: Type.Optional(Type.String({ maxLength: 600 })), taxNumber })
const MakeForm = formOf(NewOrganization.properties)
type SettingsRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof SettingsForm> }>
type MakeRequest = FastifyRequest<{ Body: Static<typeof MakeForm> }>

/** What an organization is called; leaving it; making another one. */
export function settingsPages(app: App, services: BoxOfficeServices, kit: PageKit): void {
  const { ledger } = services
  app.get(
    '/console/organization',
    { config: { access: { act: 'statistics', on: 'some' } }, schema: hidden },
    async (request, reply) => {
      const asked = queryOf(request, 'id')
      const wanted = asked !== undefined && isUuid(asked) ? asked : undefined
      const id = await chooseOrganization(ledger, actorOf(request), 'statistics', wanted)
      return reply.redirect(`/console/organizations/${id}`, 303)
    },
  )
  app.get('/console/organizations/:id', { config: watching, schema: hidden }, (request: OrganizationRequest, reply) =>
    show(services, kit, request, reply),
  )
  app.post(
    '/console/organizations/:id',
    { config: { access: { act: 'organization', on: 'organization' } }, schema: { ...hidden, body: SettingsForm } },
    async (request: SettingsRequest, reply) => {
      const { address = '', ...rest } = request.body
      const change = { ...rest, address: address.replaceAll('\r\n', '\n').slice(0, 500) }
      await editOrganization(ledger, { id: idOf(request), by: actorOf(request).id, change })
      return reply.redirect(`/console/organizations/${idOf(request)}?said=saved`, 303)
    },
  )
  app.post(
    '/console/organizations/:id/leave',
    { config: watching, schema: { ...hidden, body: ButtonForm } },
    async (request: OrganizationRequest, reply) => {
      const { id } = actorOf(request)
      try {
        await dropMember(services, { organizationId: idOf(request), userId: id, by: id })
      } catch (error) {
        return await show(services, kit, request, reply, sayProblem(kit.languageOf(request), error))
      }
      return reply.redirect('/', 303)
    },
  )
  app.post(
    '/console/organizations',
    { config: { access: ACCOUNT_ROLES }, schema: { ...hidden, body: MakeForm } },
    async (request: MakeRequest, reply) => {
      const { id } = await makeOrganization(services, actorOf(request), request.body.name)
      return reply.redirect(`/console/organizations/${id}`, 303)
    },
  )
}

async function show(
  services: BoxOfficeServices,
  kit: PageKit,
  request: OrganizationRequest,
  reply: FastifyReply,
  said: Said = null,
): Promise<FastifyReply> {
  const actor = actorOf(request)
  const { frame, organization } = await readFrame(services, request)
  const language = kit.languageOf(request)
  const isSaved = said === null && queryOf(request, 'said') === 'saved'
  const page = organizationSettingsPage(language, frame, {
    ...organization,
    mayEdit: mayDo(actor, 'organization', frame.id),
    isMember: frame.role !== null,
    mayMake: mayMakeOrganizations(services, actor),
    said: isSaved ? { kind: 'done', sentence: WORDS[language].organization.saved } : said,
  })
  return kit.send(request, reply, page, said === null ? 200 : 422)
}

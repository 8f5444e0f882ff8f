import { SeatwiseError } from '@seatwise/domain'
import {
  editOrganization,
  exportReceipts,
  listOrganizations,
  type Organization,
  readOrganization,
} from '@seatwise/ledger'
import Type from 'typebox'
import { type Actor, type App, actorOf, mayDo, organizationsFor } from '../../http/index.ts'
import { isUuid, sendTable } from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { readPeriod } from './read-period.ts'
import { OrganizationAnswer, OrganizationBody, OrganizationPath, PeriodQuery } from './schemas.ts'

const tags = ['organizations']

/** Who sells: what receipts say about it, and its receipts for the bookkeeping. */
export function organizationRoutes(app: App, { ledger, now }: BoxOfficeServices): void {
  app.get(
    '/api/organizations',
    {
      config: { access: { act: 'statistics', on: 'some', orOwner: true } },
      schema: {
        tags,
        summary: 'Your organizations, with your role in each; all there are for admins',
        response: { 200: Type.Object({ items: Type.Array(OrganizationAnswer) }) },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const found = await listOrganizations(ledger.db, organizationsFor(actor, 'statistics'))
      reply.header('cache-control', 'no-store')
      return { items: found.map((organization) => describe(organization, actor)) }
    },
  )
  app.get(
    '/api/organizations/:id',
    {
      config: { access: { act: 'statistics', on: 'organization' } },
      schema: { tags, summary: 'An organization', params: OrganizationPath, response: { 200: OrganizationAnswer } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return describe(await requireOrganization(ledger, request.params.id), actorOf(request))
    },
  )
  app.patch(
    '/api/organizations/:id',
    {
      config: { access: { act: 'organization', on: 'organization' } },
      schema: {
        tags,
        summary: 'Change what receipts say about the seller, or the Stripe account that gets the money',
        description:
          'Issued receipts stay as they are. Payments that have begun, and refunds, stay with the account they were for. ' +
          'Only admins change the account that gets the money.',
        params: OrganizationPath,
        body: OrganizationBody,
        response: { 200: OrganizationAnswer },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      reply.header('cache-control', 'no-store')
      const actor = actorOf(request)
      if (request.body.stripeAccount !== undefined && actor.role !== 'admin') {
        throw new SeatwiseError('FORBIDDEN', { message: 'Only an admin changes the account that gets the money' })
      }
      const change = { id: id.toLowerCase(), by: actor.id, change: request.body }
      const changed = isUuid(id) ? await editOrganization(ledger, change) : null
      if (changed === null) throw noOrganization()
      return describe(changed, actor)
    },
  )
  exportRoutes(app, { ledger, now })
}

function exportRoutes(app: App, { ledger, now }: Pick<BoxOfficeServices, 'ledger' | 'now'>): void {
  app.get(
    '/api/organizations/:id/receipts.csv',
    {
      config: { access: { act: 'export', on: 'organization' }, fresh: true },
      schema: {
        tags,
        summary: 'All receipts and credit notes of a period as a table, for the bookkeeping',
        description: 'What went back is below 0. The last 31 days if no days are named.',
        params: OrganizationPath,
        querystring: PeriodQuery,
        produces: ['text/csv'],
      },
    },
    async (request, reply) => {
      const period = readPeriod(request.query, now())
      const { id } = await requireOrganization(ledger, request.params.id)
      const pages = exportReceipts(ledger.db, id, period)
      return sendTable(reply, { name: 'receipts', timeZone: period.timeZone, pages, money: ['net', 'tax', 'gross'] })
    },
  )
}

/** An organization for one of its members: only owners and admins see where the money goes. */
function describe({ stripeAccount, ...organization }: Organization, actor: Actor) {
  const role = actor.teams?.get(organization.id) ?? null
  return { ...organization, role, stripeAccount: mayDo(actor, 'organization', organization.id) ? stripeAccount : null }
}

export async function requireOrganization({ db }: BoxOfficeServices['ledger'], id: string): Promise<Organization> {
  const found = isUuid(id) ? await readOrganization(db, id) : null
  if (found === null) throw noOrganization()
  return found
}

const noOrganization = () => new SeatwiseError('NOT_FOUND', { message: 'There is no such organization' })

import { SeatwiseError } from '@seatwise/domain'
import {
  editOrganization,
  exportReceipts,
  listOrganizations,
  type Organization,
  readOrganization,
} from '@seatwise/ledger'
import Type from 'typebox'
import { type App, actorOf } from '../../http/index.ts'
import { isUuid, sendTable } from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { readPeriod } from './read-period.ts'
import { OrganizationAnswer, OrganizationBody, OrganizationPath, PeriodQuery } from './schemas.ts'

const tags = ['organizations']
/** Until organizations have members, admins act for the house. */
export const ORGANIZATION_ACCESS = ['admin'] as const
const config = { access: ORGANIZATION_ACCESS }

/** Who sells: what receipts say about it, and its receipts for the bookkeeping. */
export function organizationRoutes(app: App, { ledger, now }: BoxOfficeServices): void {
  app.get(
    '/api/organizations',
    {
      config,
      schema: {
        tags,
        summary: 'All organizations, with what receipts say about them',
        response: { 200: Type.Object({ items: Type.Array(OrganizationAnswer) }) },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return { items: await listOrganizations(ledger.db) }
    },
  )
  app.get(
    '/api/organizations/:id',
    {
      config,
      schema: { tags, summary: 'An organization', params: OrganizationPath, response: { 200: OrganizationAnswer } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return await requireOrganization(ledger, request.params.id)
    },
  )
  app.patch(
    '/api/organizations/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Change what receipts say about the seller, or the Stripe account that gets the money',
        description:
          'Issued receipts stay as they are. Payments that have begun, and refunds, stay with the account they were for.',
        params: OrganizationPath,
        body: OrganizationBody,
        response: { 200: OrganizationAnswer },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      reply.header('cache-control', 'no-store')
      const change = { id: id.toLowerCase(), by: actorOf(request).id, change: request.body }
      const changed = isUuid(id) ? await editOrganization(ledger, change) : null
      if (changed === null) throw noOrganization()
      return changed
    },
  )
  exportRoutes(app, { ledger, now })
}

function exportRoutes(app: App, { ledger, now }: Pick<BoxOfficeServices, 'ledger' | 'now'>): void {
  app.get(
    '/api/organizations/:id/receipts.csv',
    {
      config,
      schema: {
        tags,
        summary: 'All receipts and credit notes of a period as a table, for the bookkeeping',
        description: 'Money in minor units; what went back is below 0. The last 31 days if no days are named.',
        params: OrganizationPath,
        querystring: PeriodQuery,
        produces: ['text/csv'],
      },
    },
    async (request, reply) => {
      const period = readPeriod(request.query, now())
      const { id } = await requireOrganization(ledger, request.params.id)
      const pages = exportReceipts(ledger.db, id, period)
      return sendTable(reply, { name: 'receipts', timeZone: period.timeZone, pages })
    },
  )
}

export async function requireOrganization({ db }: BoxOfficeServices['ledger'], id: string): Promise<Organization> {
  const found = isUuid(id) ? await readOrganization(db, id) : null
  if (found === null) throw noOrganization()
  return found
}

const noOrganization = () => new SeatwiseError('NOT_FOUND', { message: 'There is no such organization' })

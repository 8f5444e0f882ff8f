import { exportAccount } from '@seatwise/ledger'
import Type from 'typebox'
import { ACCOUNT_ROLES, type App, actorOf } from '../http/index.ts'
import { dropSession } from '../identity/index.ts'
import type { RoomServices } from '../rooms/index.ts'
import { deleteAccount } from './delete-account.ts'

const tags = ['accounts']
const config = { access: ACCOUNT_ROLES } as const
const Export = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'By table, as it is stored; hashes of secrets are left out',
    examples: [{ account: { id: '0193a7c2-5f1e-4b60-9d2c-6a5f0c7e4b11', email: 'ada@example.com' }, tickets: [] }],
  },
)

/** What is kept about one's own account: all of it as a file, or nothing from now on. */
export function privacyRoutes(app: App, services: RoomServices): void {
  const { ledger } = services
  app.get(
    '/api/auth/me/export',
    {
      config: { ...config, fresh: true },
      schema: {
        ...{ tags, operationId: 'exportAccount', summary: 'Everything that is kept about one’s own account' },
        response: { 200: Export },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      reply.header('cache-control', 'no-store')
      reply.header('content-disposition', 'attachment; filename="account.json"')
      return await exportAccount(ledger.db, actor.id)
    },
  )
  app.delete(
    '/api/auth/me',
    {
      config: { ...config, fresh: true },
      schema: {
        ...{ tags, operationId: 'deleteAccount', summary: 'Delete one’s own account' },
        description:
          'Name, addresses and devices are gone everywhere; e-tickets stay valid by their code, and receipts stay for as long as ' +
          'the law requires. 409 while a payment runs, and for the last admin or owner.',
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      await deleteAccount(services, actor.id)
      dropSession(services.config, request, reply)
      return reply.code(204).send(null)
    },
  )
}

import { listApiKeys } from '@seatwise/ledger'
import Type from 'typebox'
import { type App, actorOf } from '../../http/index.ts'
import type { IdentityServices } from '../identity.ts'
import { makeKey } from './make-key.ts'
import { revokeKey } from './revoke-key.ts'
import { describeKey, KeyPath, KeysAnswer, MadeKey, NewKey, OrganizationPath } from './schemas.ts'

const tags = ['organizations']
const config = { access: { act: 'keys', on: 'organization' } } as const

/** What programs act with. */
export function keyRoutes(app: App, services: IdentityServices): void {
  const { ledger } = services
  app.post(
    '/api/organizations/:id/keys',
    {
      config: { ...config, fresh: true },
      schema: {
        tags,
        operationId: 'createApiKey',
        summary: 'Make an API key',
        description:
          'The key is shown only this once. With `Authorization: Bearer swk_…` a program acts with the role of the key, and never joins, reserves or manages members.',
        params: OrganizationPath,
        body: NewKey,
        response: { 201: MadeKey },
      },
    },
    async (request, reply) => {
      const { name, role, expiresAt } = request.body
      const made = await makeKey(services, {
        ...{ organizationId: request.params.id.toLowerCase(), name, role, by: actorOf(request).id },
        expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
      })
      return reply.code(201).send({ ...made, expiresAt: made.expiresAt?.toISOString() ?? null })
    },
  )
  app.get(
    '/api/organizations/:id/keys',
    {
      config,
      schema: {
        tags,
        operationId: 'listApiKeys',
        summary: 'The API keys of an organization, without the keys themselves',
        params: OrganizationPath,
        response: { 200: KeysAnswer },
      },
    },
    async (request) => ({ items: (await listApiKeys(ledger.db, request.params.id.toLowerCase())).map(describeKey) }),
  )
  app.delete(
    '/api/organizations/:id/keys/:keyId',
    {
      config,
      schema: {
        tags,
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description: 'It is refused on every server within 2 s.',
        params: KeyPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id, keyId } = request.params
      await revokeKey(services, { organizationId: id.toLowerCase(), id: keyId, by: actorOf(request).id })
      return reply.code(204).send(null)
    },
  )
}

import Type from 'typebox'
import type { App } from '../../http/index.ts'
import type { IdentityServices } from '../identity.ts'

/** A key is announced days before it signs, so this is more often than needed; and cheap. */
const REFRESH_MS = 10 * 60 * 1_000

const PublicKey = Type.Object({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: Type.String(),
  kid: Type.String(),
  use: Type.Literal('sig'),
  alg: Type.Literal('EdDSA'),
})

/** The public keys, with which any party can verify passes and e-tickets offline. */
export function keysRoutes(app: App, services: IdentityServices): void {
  const { keys } = services.identity
  const timer = setInterval(() => {
    keys.refresh().catch((error: unknown) => services.log.error({ err: error }, 'could not refresh the signing keys'))
  }, REFRESH_MS).unref()
  app.addHook('onClose', async () => clearInterval(timer))

  app.get(
    '/.well-known/jwks.json',
    {
      config: { access: 'public' },
      schema: {
        summary: 'The public keys of passes and e-tickets',
        tags: ['keys'],
        response: { 200: Type.Object({ keys: Type.Array(PublicKey) }) },
      },
    },
    async (_request, reply) => {
      // An hour is far less than the time between a key's publication and its first signature.
      reply.header('cache-control', 'public, max-age=3600, stale-while-revalidate=86400')
      return keys.jwks()
    },
  )
}

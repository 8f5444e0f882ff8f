import { SeatwiseError } from '@seatwise/domain'
import Type from 'typebox'
import { withDeadline } from './deadline.ts'
import type { App } from './http-server.ts'
import type { Services } from './services.ts'

/** A part that answers later than this is not there. */
const CHECK_MS_MAX = 2_000

const Alive = Type.Object({ status: Type.Literal('ok') })

/** `live`: the process answers. `ready`: it can do its work; 503 names the parts that are missing. */
export function healthRoutes(app: App, services: Services): void {
  const config = { access: 'public', essential: true } as const
  const schema = { tags: ['operation'], response: { 200: Alive } }
  app.get(
    '/health/live',
    { config, schema: { ...schema, summary: 'Does the process answer?' } },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return { status: 'ok' as const }
    },
  )
  app.get(
    '/health/ready',
    { config, schema: { ...schema, summary: 'Can it do its work?' } },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      const missing = await findMissing(services)
      if (missing.length === 0) return { status: 'ok' as const }
      throw new SeatwiseError('UNAVAILABLE', { message: `Not ready: ${missing.join(', ')}`, details: { missing } })
    },
  )
}

async function findMissing(services: Services): Promise<string[]> {
  if (services.lifecycle.stopping) return ['stopping']
  const { ledger, redis } = services
  const checks = [{ name: 'ledger', ping: () => ledger.ping() }]
  if (redis !== null) checks.push({ name: 'redis', ping: () => redis.ping() })
  const missing = await Promise.all(
    checks.map(async ({ name, ping }) => {
      try {
        await withDeadline(ping(), CHECK_MS_MAX, name)
        return null
      } catch (err) {
        services.log.warn({ err, part: name }, 'a part does not answer')
        return name
      }
    }),
  )
  return missing.filter((name) => name !== null)
}

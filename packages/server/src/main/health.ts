import { SeatwiseError } from '@seatwise/domain'
import Type from 'typebox'
import type { App } from '../http/index.ts'
import type { Readiness } from './readiness.ts'
import type { Services } from './services.ts'

const Alive = Type.Object({ status: Type.Literal('ok') })

/** `live`: the process answers. `ready`: it can do its work; 503 names the missing parts. */
export function healthRoutes(app: App, services: Services, readiness: Readiness): void {
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
      const missing = services.lifecycle.stopping ? ['stopping'] : await readiness.findMissing()
      if (services.siblings?.isComplete === false) missing.push('workers')
      if (missing.length === 0) return { status: 'ok' as const }
      throw new SeatwiseError('UNAVAILABLE', { message: `Not ready: ${missing.join(', ')}`, details: { missing } })
    },
  )
}

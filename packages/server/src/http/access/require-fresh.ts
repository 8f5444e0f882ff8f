import { SeatwiseError } from '@seatwise/domain'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type { Callers } from './callers.ts'

/** Refuses calls of routes with `config.fresh` whose caller has not confirmed for a while to be there. */
export function requireFreshCallers(app: FastifyInstance, { isFresh }: Pick<Callers, 'isFresh'>): void {
  const check: onRequestAsyncHookHandler = async ({ actor }) => {
    if (actor === null || !(await isFresh(actor))) throw new SeatwiseError('FRESH_SIGN_IN_NEEDED')
  }
  // Of the route itself, so that it runs after the hook that identifies the caller, and costs other routes nothing.
  app.addHook('onRoute', (route) => {
    if (route.config?.fresh === true) route.onRequest = [...[route.onRequest ?? []].flat(), check]
  })
}

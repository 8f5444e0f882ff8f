import { monitorEventLoopDelay } from 'node:perf_hooks'
import { SeatwiseError } from '@seatwise/domain'
import type { HttpLimits } from './http-limits.ts'
import type { App } from './http-server.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Served also under overload: an operator or a load balancer needs it to see the overload. */
    essential?: true
    /** Throws when a new request would wait too long. Runs before everything else, authentication included. */
    refuseCrowd?: (params: unknown) => void
  }
}

const WINDOW_MS = 500
const RESOLUTION_MS = 10
const RETRY_AFTER_SECONDS = 2

/**
 * Refuses new requests while the event loop lags, and requests for which a route says that its queue is too long. A
 * refusal costs microseconds, so the server finishes the work it accepted and recovers, instead of answering every
 * visitor too late.
 */
export function shedLoad(app: App, { lagMs }: Pick<HttpLimits, 'lagMs'>): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let isLagging = false
  let isOverloaded = false
  let requests = 0
  const timer = setInterval(() => {
    // Requires two lagging windows in a row, because one long garbage collection is no overload. A window without
    // requests does not count either: a server that is busy starting up must not refuse its first visitor.
    const wasLagging = isLagging
    isLagging = requests > 0 && delay.count > 0 && delay.mean / 1e6 - RESOLUTION_MS > lagMs
    isOverloaded = isLagging && wasLagging
    requests = 0
    delay.reset()
  }, WINDOW_MS)
  timer.unref()
  delay.enable()

  app.addHook('onRequest', (request, _reply, done) => {
    const { essential, refuseCrowd } = request.routeOptions.config
    if (essential !== true) requests += 1
    if (isOverloaded && essential !== true) {
      return done(new SeatwiseError('OVERLOADED', { retryAfterSeconds: RETRY_AFTER_SECONDS }))
    }
    refuseCrowd?.(request.params)
    return done()
  })
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    delay.disable()
    done()
  })
}

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { SeatwiseError } from '@seatwise/domain'
import type { HttpLimits } from './http-limits.ts'
import type { App } from './http-server.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered also under overload: what an operator or a load balancer needs in order to see the overload. */
    essential?: true
    /** Throws when whoever comes now would wait for too long. Asked before anything else, who they are included. */
    refuseCrowd?: (params: unknown) => void
  }
}

const WINDOW_MS = 500
const RESOLUTION_MS = 10
const RETRY_AFTER_SECONDS = 2

/**
 * Refuses new requests while the event loop lags, and those for which a route says that too many are before them. Refusing costs microseconds, so that the work already accepted gets
 * finished and the server recovers, instead of serving everybody too late.
 */
export function shedLoad(app: App, { lagMs }: Pick<HttpLimits, 'lagMs'>): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let isLagging = false
  let isOverloaded = false
  let requests = 0
  const timer = setInterval(() => {
    // Two windows in a row: one long garbage collection is no overload. Nor is a server that is busy starting up: whoever
    // then comes first is the one it was started for.
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

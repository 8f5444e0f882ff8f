import { monitorEventLoopDelay } from 'node:perf_hooks'
import { SeatwiseError } from '@seatwise/domain'
import type { Lifecycle } from './base.ts'
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
/** Whole seconds from 1 to 4, at random: clients that are refused together must not come back together. */
const retryAfterSeconds = (): number => 1 + Math.floor(4 * Math.random())

/**
 * Refuses new requests while the event loop lags, and requests for which a route says that its queue is too long. A
 * refusal costs microseconds, so the server finishes the work it accepted and recovers, instead of answering every
 * visitor too late. Tells the lifecycle whether requests are answered.
 */
export function shedLoad(app: App, { lagMs }: Pick<HttpLimits, 'lagMs'>, lifecycle: Lifecycle): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let isLagging = false
  let isOverloaded = false
  let isReady = false
  let requests = 0
  const timer = setInterval(() => {
    // Requires two lagging windows in a row, because one long garbage collection is no overload. A window without
    // requests does not count either: a server that is busy starting up must not refuse its first visitor.
    const wasLagging = isLagging
    isLagging = requests > 0 && delay.count > 0 && delay.mean / 1e6 - RESOLUTION_MS > lagMs
    isOverloaded = isLagging && wasLagging
    if (isReady) lifecycle.answering = !isOverloaded
    requests = 0
    delay.reset()
  }, WINDOW_MS)
  timer.unref()
  delay.enable()

  app.addHook('onRequest', (request, _reply, done) => {
    const { essential, refuseCrowd } = request.routeOptions.config
    if (essential !== true) requests += 1
    if (isOverloaded && essential !== true) {
      return done(new SeatwiseError('OVERLOADED', { retryAfterSeconds: retryAfterSeconds() }))
    }
    refuseCrowd?.(request.params)
    return done()
  })
  app.addHook('onReady', (done) => {
    isReady = true
    lifecycle.answering = true
    done()
  })
  app.addHook('onClose', (_app, done) => {
    lifecycle.answering = false
    clearInterval(timer)
    delay.disable()
    done()
  })
}

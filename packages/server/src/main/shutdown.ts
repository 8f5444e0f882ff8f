import { setTimeout as delay } from 'node:timers/promises'
import type { App } from '../http/index.ts'
import { DeadlinePassed, withDeadline } from '../kit/index.ts'
import type { StopListening } from './listen.ts'
import type { OpenedServices } from './open-services.ts'

/** How long requests in flight may take to finish after the server was asked to stop. */
const FINISH_MS_MAX = 10_000
const SWEEP_MS = 50

/**
 * Shuts down without losing a request: readiness fails, load balancers get time to see it, no new connections are
 * accepted, requests in flight finish, then the stores are closed.
 */
export async function shutDown(app: App, services: OpenedServices, stopListening: StopListening): Promise<void> {
  const { lifecycle, log, config } = services
  lifecycle.stopping = true
  log.info('stopping')
  await delay(config.drainSeconds * 1_000)
  const closing = stopListening()
  // Otherwise a connection would be kept alive after its last answer, waiting for the next request.
  const sweeping = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS)
  try {
    await withDeadline(closing, FINISH_MS_MAX, 'The last request')
  } catch (err) {
    if (!(err instanceof DeadlinePassed)) throw err
    log.warn({ err }, 'closing connections that are still in use')
    app.server.closeAllConnections()
    await closing
  } finally {
    clearInterval(sweeping)
  }
  await services.close()
  log.info('stopped')
}

import { setTimeout as delay } from 'node:timers/promises'
import type { App } from '../http/index.ts'
import { DeadlinePassed, withDeadline } from '../kit/index.ts'
import type { OpenedServices } from './open-services.ts'

/** How long requests in flight may take to finish after the server was asked to stop. */
const FINISH_MS_MAX = 10_000
const SWEEP_MS = 50

/**
 * Ends in the order in which nobody gets hurt: readiness fails, load balancers get time to see it, no new connections,
 * what was begun is finished, then the stores are closed.
 */
export async function shutDown(app: App, services: OpenedServices): Promise<void> {
  const { lifecycle, log, config } = services
  lifecycle.stopping = true
  log.info('stopping')
  await delay(config.drainSeconds * 1_000)
  const closing = app.close()
  // A connection whose last request was answered would otherwise be kept alive for the next one.
  const sweeping = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS)
  try {
    await withDeadline(closing, FINISH_MS_MAX, 'The last request')
  } catch (err) {
    if (!(err instanceof DeadlinePassed)) throw err
    log.warn({ err }, 'cutting off what is still running')
    app.server.closeAllConnections()
    await closing
  } finally {
    clearInterval(sweeping)
  }
  await services.close()
  log.info('stopped')
}

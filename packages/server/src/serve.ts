import { type App, buildApp } from './app.ts'
import type { Config } from './config.ts'
import { armFaults } from './faults/arm-faults.ts'
import { createLog } from './logging.ts'
import { openServices } from './open-services.ts'
import { shutDown } from './shutdown.ts'

export interface RunningServer {
  /** Where it can be reached, without a slash at the end. */
  readonly url: string
  /** Sentences for whoever started it, such as credentials that were made up and are not shown again. */
  readonly notices: readonly string[]
  /** Finishes what was begun and closes everything; the second call waits for the first. */
  stop(): Promise<void>
}

/** Starts everything: stores, schema, first operator, demo sale, HTTP. */
export async function serve(config: Config): Promise<RunningServer> {
  const log = createLog(config)
  if (config.faults !== null) armFaults(config.faults)
  const services = await openServices(config, log)
  try {
    const app = await buildApp(services)
    const address = await app.listen({ host: config.host, port: config.port })
    log.info({ address, mode: config.mode }, 'listening')
    let stopped: Promise<void> | undefined
    return {
      url: config.publicUrl ?? reachable(app),
      notices: [],
      stop() {
        stopped ??= shutDown(app, services)
        return stopped
      },
    }
  } catch (error) {
    await services.close()
    throw error
  }
}

/** An address that a browser on this machine can open; "all addresses" is not one. */
function reachable(app: App): string {
  const [address] = app.addresses()
  if (address === undefined || typeof address === 'string') return ''
  const host = address.address === '0.0.0.0' || address.address === '::' ? 'localhost' : address.address
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}

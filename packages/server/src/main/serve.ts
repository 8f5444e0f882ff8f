import { type Config, createLog, VERSION } from '../config/index.ts'
import { type App, type Measured, measureProcess, type Siblings } from '../http/index.ts'
import { ensureFirstOperator, type MadeUpCredentials } from '../identity/index.ts'
import { compareGate } from '../operators/index.ts'
import { buildApp } from './app.ts'
import { armFaults } from './arm-faults.ts'
import { openDemoSale } from './demo-sale.ts'
import { listen } from './listen.ts'
import { openServices } from './open-services.ts'
import type { Services } from './services.ts'
import { shutDown } from './shutdown.ts'
import { startLocalApi } from './start-local-api.ts'

export interface RunningServer {
  /** The server's address, without a trailing slash. */
  readonly url: string
  /** Pages that the operator who started the server may want to open. */
  readonly places: ReadonlyArray<{ readonly name: string; readonly url: string }>
  /** Messages for the operator who started the server, such as generated credentials that are not shown again. */
  readonly notices: readonly string[]
  /** Finishes what was begun and closes everything; the second call waits for the first. */
  stop(): Promise<void>
  /** Records the bug that ends the program: in the log like everything else, and with secrets removed. */
  reportCrash(error: unknown): void
}

/** A server in this process, as its supervisor sees it. */
export interface ServingProcess extends RunningServer {
  /** Readiness fails from now on; everything else is served. */
  announceStop(): void
  measure(): Promise<readonly Measured[]>
}

/** The place of this process among several that share the port. */
export interface Membership {
  readonly number: number
  readonly siblings: Siblings
}

/** Starts everything: stores, schema, first operator, demo sale, HTTP. */
export async function serve(config: Config, membership?: Membership): Promise<ServingProcess> {
  const log = membership === undefined ? createLog(config) : createLog(config).child({ worker: membership.number })
  if (config.faults !== null) armFaults(config.faults)
  const opened = await openServices(config, log)
  const services = membership === undefined ? opened : { ...opened, siblings: membership.siblings }
  let closeLocalApi = async (): Promise<void> => {}
  try {
    const operator = await ensureFirstOperator(services)
    const demoEventId = config.demo ? await openDemoSale(services) : null
    const app = await buildApp(services)
    // Before the public port answers: a tool that sees a ready server can also read its ledger.
    closeLocalApi = await admitTools(services, () => config.publicUrl ?? reachable(app))
    const stopListening = await listen(app, config, membership !== undefined)
    services.rooms.start()
    services.boxOffice.start()
    let stopped: Promise<void> | undefined
    const url = config.publicUrl ?? shown(app)
    services.news.start(url)
    return {
      url,
      places: placesOf(url, demoEventId),
      notices: operator === null ? [] : [introduce(operator)],
      reportCrash: (err) => log.fatal({ err }, 'ending because of a bug'),
      announceStop() {
        services.lifecycle.stopping = true
      },
      measure: () => measureProcess(services.metrics),
      stop() {
        stopped ??= closeLocalApi().then(() => shutDown(app, services, stopListening))
        return stopped
      },
    }
  } catch (error) {
    await closeLocalApi()
    await services.close()
    throw error
  }
}

/** Tools open PostgreSQL by themselves; only this process can read an embedded ledger for them. */
async function admitTools({ ledger, config, rooms }: Services, url: () => string): Promise<() => Promise<void>> {
  if (ledger.kind !== 'pglite') return async () => {}
  const reconcileBeside = async (eventId: string, dryRun: boolean) => [
    await compareGate(await rooms.ofEvent(eventId), ledger.db, { eventId, dryRun }),
  ]
  const about = { dataDir: config.dataDir, version: VERSION, url, startedAt: new Date() }
  const api = await startLocalApi({ ledger, ...about, reconcileBeside })
  return () => api.close()
}

function placesOf(url: string, demoEventId: string | null): RunningServer['places'] {
  const demo = demoEventId === null ? [] : [{ name: 'Demo sale', url: `${url}/events/${demoEventId}` }]
  return [
    ...demo,
    { name: 'Events', url: `${url}/` },
    { name: 'Console', url: `${url}/console` },
    { name: 'API', url: `${url}/docs` },
    { name: 'Health', url: `${url}/health/ready` },
  ]
}

/** Shown to the operator who started the server and nowhere else: not in the log. */
function introduce({ email, password }: MadeUpCredentials): string {
  return `The first operator signs in with these, shown only this once:\n\n  email        ${email}\n  password     ${password}\n`
}

/** The same for people: browsers make passkeys for `localhost`, and for no number. */
function shown(app: App): string {
  return reachable(app).replace(/\/\/(?:127\.0\.0\.1|\[::1\]):/, '//localhost:')
}

/** An address that programs on this machine can open; "all addresses" is not one. */
function reachable(app: App): string {
  const [address] = app.addresses()
  if (address === undefined || typeof address === 'string') return ''
  const host = address.address === '0.0.0.0' || address.address === '::' ? 'localhost' : address.address
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}

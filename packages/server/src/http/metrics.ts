import type { Ledger } from '@seatwise/ledger'
import {
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import type { Base } from './base.ts'
import type { App } from './http-server.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A stream that stays open as long as the client listens: its duration says nothing about the server. */
    lasting?: true
  }
}

/** One metric with its values, as data. */
export type Measured = MetricObjectWithValues<MetricValue<string>>

/** Process metrics are collected once, however many servers a test creates in the process. */
let processMetrics: Registry | undefined

/**
 * `GET /metrics` in Prometheus' text format. Labels are bounded: route templates, methods and status classes, never
 * input from a client.
 */
export function metricsRoutes(
  app: App,
  { metrics, ledger, siblings }: Pick<Base, 'metrics' | 'ledger' | 'siblings'>,
): void {
  measureConnections(metrics, ledger)
  app.get(
    '/metrics',
    { config: { access: 'local-network', essential: true }, schema: { tags: ['operation'], summary: 'Measurements' } },
    async (_request, reply) => {
      const own = withProcess(metrics)
      return reply.type(own.contentType).send(await (siblings?.metrics() ?? own.metrics()))
    },
  )
}

/** The metrics of this process as data, for a supervisor that adds up those of several. */
export async function measureProcess(metrics: Registry): Promise<readonly Measured[]> {
  return await withProcess(metrics).getMetricsAsJSON()
}

function withProcess(metrics: Registry): Registry {
  return Registry.merge([ofProcess(), metrics])
}

/** Must be added before every hook that may refuse a request: refusals are measured too. */
export function measureRequests(app: App, { metrics }: Pick<Base, 'metrics'>): void {
  let inFlight = 0
  const durations = new Histogram({
    name: 'seatwise_http_request_duration_seconds',
    help: 'From the arrival of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [metrics],
  })
  new Gauge({
    name: 'seatwise_http_requests_in_flight',
    help: 'Requests that have arrived and are not answered yet',
    registers: [metrics],
    collect() {
      this.set(inFlight)
    },
  })
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.lasting !== true) inFlight += 1
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (request.routeOptions.config.lasting === true) return done()
    inFlight -= 1
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
    const method = request.is404 ? 'any' : request.method
    const status = `${Math.floor(reply.statusCode / 100)}xx`
    durations.observe({ method, route, status }, reply.elapsedTime / 1_000)
    done()
  })
}

function measureConnections(metrics: Registry, ledger: Ledger): void {
  new Gauge({
    name: 'seatwise_ledger_connections',
    help: 'Connections to the ledger, and statements that wait for one',
    labelNames: ['state'],
    registers: [metrics],
    collect() {
      const { open, idle, waiting } = ledger.connections()
      this.set({ state: 'busy' }, open - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
}

function ofProcess(): Registry {
  if (processMetrics === undefined) {
    processMetrics = new Registry()
    collectDefaultMetrics({ register: processMetrics })
  }
  return processMetrics
}

import { accountRoutes } from './accounts/routes.ts'
import { createBrandReads } from './brands/brand-reads.ts'
import { brandRoutes } from './brands/routes.ts'
import { connectorRoutes } from './connectors/routes.ts'
import { consoleRoutes } from './console/routes.ts'
import { eticketRoutes } from './etickets/routes.ts'
import { createEventReads } from './events/event-reads.ts'
import { eventRoutes } from './events/routes.ts'
import { healthRoutes } from './health.ts'
import { HTTP_LIMITS, type HttpLimits } from './http-limits.ts'
import type { App } from './http-server.ts'
import { createKernel } from './kernel.ts'
import { keysRoutes } from './keys/routes.ts'
import { metricsRoutes } from './metrics.ts'
import { describeRoutes } from './openapi.ts'
import { operationRoutes } from './operations/routes.ts'
import { newsRoutes } from './outbox/routes.ts'
import { pageRoutes } from './pages/routes.ts'
import { openPayments } from './payments/open-payments.ts'
import { paymentRoutes } from './payments/routes.ts'
import { openRealtime } from './realtime/open-realtime.ts'
import { realtimeRoutes } from './realtime/routes.ts'
import { watchDrift } from './reconcile/watch-drift.ts'
import { reservationRoutes } from './reservations/routes.ts'
import { roomRoutes } from './room/routes/index.ts'
import { createProfiles } from './room/routes/profiles.ts'
import { returnToSiteRoutes } from './room/routes/return-to-site.ts'
import { roomsRoutes } from './rooms/routes.ts'
import { salesRoutes } from './sales/routes.ts'
import type { Services } from './services.ts'
import { webhookRoutes } from './webhooks/routes.ts'

export type { App } from './http-server.ts'

/** Builds the whole server. What it can do is the list below, in this order; nothing is loaded by itself. */
export async function buildApp(services: Services, limits: HttpLimits = HTTP_LIMITS): Promise<App> {
  const app = createKernel(services, limits)
  const reads = createEventReads(services)
  const brands = createBrandReads(services.ledger, services.metrics, services.now)
  const profiles = createProfiles(services.ledger, services.metrics)
  const payments = await openPayments(services)
  await describeRoutes(app)
  healthRoutes(app, services)
  metricsRoutes(app, services)
  accountRoutes(app, services)
  keysRoutes(app, services)
  eventRoutes(app, services, reads)
  roomsRoutes(app, services)
  roomRoutes(app, services, profiles)
  brandRoutes(app, services, brands)
  returnToSiteRoutes(app, services)
  connectorRoutes(app, services)
  eticketRoutes(app, services)
  webhookRoutes(app, services)
  newsRoutes(app, services)
  salesRoutes(app, services)
  reservationRoutes(app, services)
  paymentRoutes(app, services, payments)
  operationRoutes(app, services)
  realtimeRoutes(app, services, await openRealtime(services))
  consoleRoutes(app, services)
  pageRoutes(app, services, { reads, brands, payments, profiles })
  watchDrift(app, services, payments)

  await app.ready()
  return app
}

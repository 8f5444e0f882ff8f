import { createAdoption } from '../box-office/adoption/adopt-guest.ts'
import { followAdoptions } from '../box-office/adoption/follow-adoptions.ts'
import { eticketRoutes } from '../box-office/etickets/routes.ts'
import { createEventReads } from '../box-office/events/event-reads.ts'
import { eventRoutes } from '../box-office/events/routes.ts'
import { operationRoutes } from '../box-office/operations/routes.ts'
import { openPayments } from '../box-office/payments/open-payments.ts'
import { paymentRoutes } from '../box-office/payments/routes.ts'
import { reservationRoutes } from '../box-office/reservations/routes.ts'
import { salesRoutes } from '../box-office/sales/routes.ts'
import { newsRoutes } from '../delivery/outbox/routes.ts'
import { webhookRoutes } from '../delivery/webhooks/routes.ts'
import { HTTP_LIMITS, type HttpLimits } from '../http/http-limits.ts'
import type { App } from '../http/http-server.ts'
import { metricsRoutes } from '../http/metrics.ts'
import { describeRoutes } from '../http/openapi.ts'
import { accountRoutes } from '../identity/accounts/routes.ts'
import { keysRoutes } from '../identity/keys/routes.ts'
import { consolePages } from '../operators/console/pages.ts'
import { consoleRoutes } from '../operators/console/routes.ts'
import { watchDrift } from '../operators/reconcile/watch-drift.ts'
import { openRealtime } from '../push/open-realtime.ts'
import { realtimeRoutes } from '../push/routes.ts'
import { connectorRoutes } from '../rooms/connectors/routes.ts'
import { createProfiles } from '../rooms/routes/profiles.ts'
import { returnToSiteRoutes } from '../rooms/routes/return-to-site.ts'
import { roomRoutes } from '../rooms/routes/room-routes.ts'
import { roomsRoutes } from '../rooms/without-event/routes.ts'
import { createBrandReads } from '../site/brands/brand-reads.ts'
import { brandRoutes } from '../site/brands/routes.ts'
import { pageRoutes } from '../site/pages/routes.ts'
import { healthRoutes } from './health.ts'
import { createKernel } from './kernel.ts'
import type { Services } from './services.ts'

export type { App } from '../http/http-server.ts'

/** Builds the whole server. What it can do is the list below, in this order; nothing is loaded by itself. */
export async function buildApp(services: Services, limits: HttpLimits = HTTP_LIMITS): Promise<App> {
  const app = createKernel(services, limits)
  const reads = createEventReads(services)
  const brands = createBrandReads(services.ledger, services.metrics, services.now)
  const profiles = createProfiles(services.ledger, services.metrics)
  const adoption = createAdoption(services)
  const payments = await openPayments(services)
  await describeRoutes(app)
  healthRoutes(app, services)
  metricsRoutes(app, services)
  accountRoutes(app, services, adoption)
  followAdoptions(app, services)
  keysRoutes(app, services)
  eventRoutes(app, services, reads)
  roomsRoutes(app, services)
  roomRoutes(app, services, { profiles, visits: services.boxOffice })
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
  pageRoutes(app, services, { reads, brands, payments, profiles, adoption }, (scope, kit) =>
    consolePages(scope, services, kit),
  )
  watchDrift(app, services, payments)

  await app.ready()
  return app
}

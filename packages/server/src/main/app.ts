import {
  createAdoption,
  createEventReads,
  eticketRoutes,
  eventRoutes,
  followAdoptions,
  openPayments,
  operationRoutes,
  paymentRoutes,
  reservationRoutes,
  salesRoutes,
} from '../box-office/index.ts'
import { newsRoutes, webhookRoutes } from '../delivery/index.ts'
import { type App, describeRoutes, HTTP_LIMITS, type HttpLimits, metricsRoutes } from '../http/index.ts'
import { accountRoutes, keysRoutes } from '../identity/index.ts'
import { consolePages, consoleRoutes, watchDrift } from '../operators/index.ts'
import { openRealtime, realtimeRoutes } from '../push/index.ts'
import { connectorRoutes, createProfiles, returnToSiteRoutes, roomRoutes, roomsRoutes } from '../rooms/index.ts'
import { brandRoutes, createBrandReads, pageRoutes } from '../site/index.ts'
import { healthRoutes } from './health.ts'
import { createKernel } from './kernel.ts'
import type { Services } from './services.ts'

/** Builds the whole server from the list below, in this order; no plugin is loaded automatically. */
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

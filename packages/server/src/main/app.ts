import {
  codeRoutes,
  createAdoption,
  createEventReads,
  doorRoutes,
  entranceRoutes,
  eticketRoutes,
  eventRoutes,
  followAdoptions,
  openPayments,
  operationRoutes,
  paperworkRoutes,
  paymentRoutes,
  reservationRoutes,
  returnRoutes,
  salesRoutes,
  transferRoutes,
  walletRoutes,
} from '../box-office/index.ts'
import { buyerMailRoutes, newsRoutes, webhookRoutes } from '../delivery/index.ts'
import { type App, describeRoutes, HTTP_LIMITS, type HttpLimits, metricsRoutes } from '../http/index.ts'
import { accountRoutes, keysRoutes, teamRoutes } from '../identity/index.ts'
import {
  cancelRoutes,
  consolePages,
  consoleRoutes,
  doorPages,
  mailPages,
  organizationPages,
  statePages,
  watchDrift,
} from '../operators/index.ts'
import { privacyPages, privacyRoutes, watchPrivacy } from '../privacy/index.ts'
import { openRealtime, realtimeRoutes } from '../push/index.ts'
import {
  connectorRoutes,
  createProfiles,
  createSaleReports,
  fairnessRoutes,
  learnProfiles,
  returnToSiteRoutes,
  roomRoutes,
  roomsRoutes,
} from '../rooms/index.ts'
import { brandRoutes, createBrandReads, createHostReads, hostRoutes, pageRoutes } from '../site/index.ts'
import { healthRoutes } from './health.ts'
import { createKernel } from './kernel.ts'
import { createReadiness } from './readiness.ts'
import type { Services } from './services.ts'
import { watchCondition } from './watch-condition.ts'

/** Builds the whole server from the list below, in this order; no plugin is loaded automatically. */
export async function buildApp(services: Services, limits: HttpLimits = HTTP_LIMITS): Promise<App> {
  const app = createKernel(services, limits)
  const reads = createEventReads(services)
  const brands = createBrandReads(services)
  const hosts = createHostReads(services)
  const profiles = createProfiles(services.ledger, services.metrics)
  learnProfiles(app, services, profiles)
  const adoption = createAdoption(services)
  const reports = createSaleReports(services)
  const payments = await openPayments(services)
  await describeRoutes(app)
  const readiness = createReadiness(services)
  healthRoutes(app, services, readiness)
  metricsRoutes(app, services)
  accountRoutes(app, services, adoption)
  teamRoutes(app, services)
  followAdoptions(app, services)
  keysRoutes(app, services)
  eventRoutes(app, services, reads)
  roomsRoutes(app, services)
  roomRoutes(app, services, { profiles, visits: services.boxOffice })
  fairnessRoutes(app, services, reports)
  brandRoutes(app, services, brands)
  hostRoutes(app, services, hosts, reads)
  returnToSiteRoutes(app, services)
  connectorRoutes(app, services)
  eticketRoutes(app, services)
  walletRoutes(app, services)
  transferRoutes(app, services)
  returnRoutes(app, services)
  webhookRoutes(app, services)
  newsRoutes(app, services)
  buyerMailRoutes(app, services)
  salesRoutes(app, services)
  codeRoutes(app, services)
  reservationRoutes(app, services)
  paymentRoutes(app, services, payments)
  doorRoutes(app, services, payments)
  entranceRoutes(app, services)
  paperworkRoutes(app, services)
  operationRoutes(app, services)
  realtimeRoutes(app, services, await openRealtime(services))
  consoleRoutes(app, services)
  const readCondition = watchCondition(readiness, services.now)
  const sources = { reads, brands, hosts, payments, profiles, adoption, reports, readCondition }
  pageRoutes(app, services, sources, (scope, kit) => {
    consolePages(scope, services, kit)
    doorPages(scope, services, kit, payments)
    organizationPages(scope, services, kit)
    mailPages(scope, services, kit)
    statePages(scope, services, reads)
    privacyPages(scope, services, kit)
  })
  cancelRoutes(app, services, reads, payments)
  watchDrift(app, services, payments)
  privacyRoutes(app, services)
  watchPrivacy(app, services)

  await app.ready()
  return app
}
